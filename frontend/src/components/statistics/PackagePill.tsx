import type { MouseEvent } from 'react'
import { lazy, Suspense, useRef, useState } from 'react'
import type { ChartSeries, PackageGroup } from '../../api/generated'
import { seriesStyle } from '../../lib/statistics/chart/seriesColors'
import { comparisonQuery } from '../../lib/statistics/comparison'
import { groupName, isBaseline, isGroupHidden, removeGroup, toggleHidden } from '../../lib/statistics/comparisonEdits'
import { paths } from '../../lib/paths'
import { Icon } from '../ui/Icon'
import { Link } from '../ui/Link'
import { useComparisonPage } from './ComparisonContext'
import { PackageMessage } from './PackageMessage'

const loadPopover = () => import('./PackagePopover')
// In a file of its own: it brings the positioning of Base UI and the color picker.
const PackagePopover = lazy(async () => ({ default: (await loadPopover()).PackagePopover }))

function prepare(): void {
  loadPopover().catch(() => undefined)
}

/** Of a button that opens the popover: what it needs is loaded when the reader turns to the button. */
const TRIGGER = { 'aria-haspopup': 'dialog', onPointerEnter: prepare, onFocus: prepare } as const

const UNKNOWN_COLOR = '#808080'

interface Props {
  group: PackageGroup
  /** Undefined until the chart of the comparison has arrived. */
  series: ChartSeries | undefined
}

export type PopoverView = 'color' | 'menu'

export function PackagePill({ group, series }: Props) {
  const { comparison, change } = useComparisonPage()
  const [view, setView] = useState<PopoverView | null>(null)
  const item = useRef<HTMLLIElement>(null)
  const name = groupName(group)
  const hidden = isGroupHidden(group)
  const color = group.color ?? series?.color ?? UNKNOWN_COLOR
  const others = group.packages.length - 1
  const baseline = isBaseline(comparison, group)
  const remove = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    change((current) => removeGroup(current, name))
  }
  return (
    <li ref={item} className="package-pill" style={seriesStyle(color)} data-hidden={hidden ? '' : undefined}>
      <div className="package-pill-row">
        <button
          {...TRIGGER}
          type="button"
          className="package-pill-color"
          aria-expanded={view === 'color'}
          aria-label={`Color of ${name}`}
          onClick={() => setView(view === 'color' ? null : 'color')}
        />
        <button
          type="button"
          className="package-pill-name"
          aria-pressed={!hidden}
          title={hidden ? 'Show in the chart' : 'Hide in the chart'}
          onClick={() => change((current) => toggleHidden(current, name))}
        >
          <span>{name}</span>
          {others > 0 ? (
            <small>
              + {others}
              <span className="sr-only"> more</span>
            </small>
          ) : null}
          {baseline ? <small className="package-pill-baseline">baseline</small> : null}
        </button>
        <button
          {...TRIGGER}
          type="button"
          className="package-pill-action"
          aria-expanded={view === 'menu'}
          aria-label={`More options for ${name}`}
          onClick={() => setView(view === 'menu' ? null : 'menu')}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true" className="icon">
            <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />
          </svg>
        </button>
        {comparison.groups.length > 1 ? (
          <Link
            to={paths.statistics(comparisonQuery(removeGroup(comparison, name)))}
            rel="nofollow"
            className="package-pill-action"
            aria-label={`Remove ${name}`}
            onClick={remove}
          >
            <Icon name="close" />
          </Link>
        ) : null}
      </div>
      <PackageMessage name={name} series={series} />
      {view ? (
        <Suspense>
          <PackagePopover view={view} setView={setView} pill={item} group={group} color={color} />
        </Suspense>
      ) : null}
    </li>
  )
}
