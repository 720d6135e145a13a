import { useHydrated } from '@tanstack/react-router'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useRef } from 'react'
import type { ExamplePanel } from '../../lib/examples/examples'
import { Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'

interface Props {
  panel: ExamplePanel
  href: (panel: ExamplePanel) => SitePath
  choose: (panel: ExamplePanel) => void
}

const TABS: readonly (readonly [ExamplePanel, string])[] = [
  ['code', 'Code'],
  ['sandbox', 'Sandbox'],
]

export function tabId(panel: ExamplePanel): string {
  return `tab-${panel}`
}

export function panelId(panel: ExamplePanel): string {
  return `panel-${panel}`
}

/** Tabs for code and sandbox (ARIA tabs pattern). Without a script each tab is a link. */
export function ExampleTabs({ panel, href, choose }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const hydrated = useHydrated()
  const pick = (next: ExamplePanel) => {
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
        <Link
          key={name}
          role="tab"
          id={tabId(name)}
          to={href(name)}
          rel="nofollow"
          aria-selected={name === panel}
          aria-controls={panelId(name)}
          tabIndex={hydrated && name !== panel ? -1 : 0}
          onKeyDown={press}
          onClick={(event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            pick(name)
          }}
        >
          {label}
        </Link>
      ))}
    </div>
  )
}
