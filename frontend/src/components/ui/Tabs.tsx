import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { Styles } from './Styles'

export interface Tab {
  id: string
  label: string
  content: ReactNode
}

interface Props {
  /** What the tabs are views of. */
  label: string
  tabs: readonly Tab[]
}

/** Views of one thing, of which one is shown. Tabs in Markdown are radio buttons, which need no script. */
export function Tabs({ label, tabs }: Props) {
  return (
    <Base.Root defaultValue={tabs[0]?.id} className="tab-views">
      <Styles name="parts" />
      <Base.List className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.id} value={tab.id} className="tab">
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} value={tab.id} className="tab-view">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
