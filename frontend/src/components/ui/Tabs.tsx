import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { AreaStyles } from './AreaStyles'

export interface Tab {
  id: string
  label: string
  content: ReactNode
}

interface Props {
  /** The accessible name of the tab list. */
  label: string
  tabs: readonly Tab[]
}

/** Tabs of which one panel is shown. Tabs in Markdown are radio buttons instead, which need no script. */
export function Tabs({ label, tabs }: Props) {
  return (
    <Base.Root defaultValue={tabs[0]?.id}>
      <AreaStyles name="interactive" />
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
