import type { KeyboardEvent, MouseEvent } from 'react'
import { useRef } from 'react'
import type { Panel } from '../../lib/examples'
import { useLive } from './useLive'

interface Props {
  panel: Panel
  href: (panel: Panel) => string
  choose: (panel: Panel) => void
}

const TABS: readonly (readonly [Panel, string])[] = [
  ['code', 'Code'],
  ['sandbox', 'Sandbox'],
]

export function tabId(panel: Panel): string {
  return `tab-${panel}`
}

export function panelId(panel: Panel): string {
  return `panel-${panel}`
}

/** Code or sandbox, after the ARIA pattern for tabs. Without a script each is a link. */
export function PanelTabs({ panel, href, choose }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const live = useLive()
  const pick = (next: Panel) => {
    choose(next)
    list.current?.querySelector<HTMLElement>(`#${tabId(next)}`)?.focus()
  }
  const press = (event: KeyboardEvent) => {
    const at = TABS.findIndex(([name]) => name === panel)
    const last = TABS.length - 1
    const to = new Map([
      ['ArrowRight', at === last ? 0 : at + 1],
      ['ArrowLeft', at === 0 ? last : at - 1],
      ['Home', 0],
      ['End', last],
      [' ', at],
    ]).get(event.key)
    const next = to === undefined ? undefined : TABS[to]
    if (!next) return
    event.preventDefault()
    pick(next[0])
  }
  return (
    <div ref={list} role="tablist" aria-label="View" className="example-tabs">
      {TABS.map(([name, label]) => (
        <a
          key={name}
          role="tab"
          id={tabId(name)}
          href={href(name)}
          rel="nofollow"
          aria-selected={name === panel}
          aria-controls={panelId(name)}
          tabIndex={live && name !== panel ? -1 : 0}
          onKeyDown={press}
          onClick={(event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            pick(name)
          }}
        >
          {label}
        </a>
      ))}
    </div>
  )
}
