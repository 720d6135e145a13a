import { Popover } from '@base-ui/react/popover'
import { useThrottledCallback } from '@tanstack/react-pacer/throttler'
import type { RefObject } from 'react'
import { HexColorPicker } from 'react-colorful'
import type { PackageGroup } from '../../api/generated'
import { countPackages, groupName, isBaseline, MAX_PACKAGES, mergeInto, removeMember, setColor, toggleBaseline, toggleHidden } from '../../lib/statistics/comparisonEdits'
import { portalContainer } from '../../lib/portalContainer'
import { AreaStyles } from '../ui/AreaStyles'
import { Button, IconButton } from '../ui/Button'
import { useComparisonPage } from './ComparisonContext'
import { PackageField } from './PackageField'
import type { PopoverView } from './PackagePill'

const COLOR_THROTTLE_MS = 100

interface Props {
  view: PopoverView
  setView: (view: PopoverView | null) => void
  pill: RefObject<HTMLElement | null>
  group: PackageGroup
  color: string
}

/** What opens at a pill: the options of its group, or the color picker. */
export function PackagePopover({ view, setView, pill, group, color }: Props) {
  const name = groupName(group)
  return (
    <Popover.Root
      open
      onOpenChange={(open, { event }) => {
        // A press on a button of the pill is left to the button.
        if (open || (event.type !== 'keydown' && event.target instanceof Node && pill.current?.contains(event.target))) return
        setView(null)
      }}
    >
      <AreaStyles name="interactive" />
      <Popover.Portal container={portalContainer()}>
        <Popover.Positioner anchor={pill} sideOffset={6} align="start" collisionPadding={12} className="positioner">
          <Popover.Popup className="popup package-popover" finalFocus={() => pill.current?.querySelector<HTMLElement>(`[aria-label^="${view === 'color' ? 'Color' : 'More'}"]`) ?? true}>
            <div className="package-popover-head">
              <Popover.Title className="package-popover-title">{view === 'color' ? `Color of ${name}` : name}</Popover.Title>
              <Popover.Close render={<IconButton icon="close" label="Close" />} />
            </div>
            {view === 'color' ? (
              <ColorView name={name} color={color} custom={group.color !== null} close={() => setView(null)} />
            ) : (
              <GroupView group={group} setView={setView} />
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface ColorViewProps {
  /** Of the group. */
  name: string
  color: string
  /** Whether the reader chose the color. */
  custom: boolean
  close: () => void
}

function ColorView({ name, color, custom, close }: ColorViewProps) {
  const { change } = useComparisonPage()
  const write = useThrottledCallback((chosen: string) => change((current) => setColor(current, name, chosen), 'replace'), {
    wait: COLOR_THROTTLE_MS,
  })
  return (
    <>
      {/* The library sets its width in a style element, which layers of stylesheets do not override. */}
      <HexColorPicker color={color} onChange={write} className="package-popover-color" style={{ width: 'auto' }} />
      <div className="package-popover-actions">
        <Button disabled={!custom} onClick={() => change((current) => setColor(current, name, null))}>
          Reset
        </Button>
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      </div>
    </>
  )
}

function GroupView({ group, setView }: Pick<Props, 'group' | 'setView'>) {
  const { comparison, change } = useComparisonPage()
  const name = groupName(group)
  const hidden = group.packages[0]?.hidden ?? false
  return (
    <>
      <div className="package-popover-options">
        <button type="button" className="menu-item" onClick={() => change((current) => toggleHidden(current, name))}>
          {hidden ? 'Show package' : 'Hide package'}
        </button>
        <button type="button" className="menu-item" onClick={() => change((current) => toggleBaseline(current, name))}>
          {isBaseline(comparison, group) ? 'Remove baseline' : 'Set as baseline'}
        </button>
        <button type="button" className="menu-item" onClick={() => setView('color')}>
          Change color
        </button>
      </div>
      <section aria-label="Packages of this line" className="package-popover-members">
        <h3>Combined in this line</h3>
        <ul>
          {group.packages.map((entry, at) => (
            <li key={entry.name} data-hidden={entry.hidden ? '' : undefined}>
              <span>{entry.name}</span>
              {at > 0 ? (
                <>
                  <Button
                    size="small"
                    variant="quiet"
                    aria-pressed={!entry.hidden}
                    onClick={() => change((current) => toggleHidden(current, name, entry.name))}
                  >
                    {entry.hidden ? 'Not counted' : 'Counted'}
                    <span className="sr-only">: {entry.name}</span>
                  </Button>
                  <IconButton icon="close" label={`Remove ${entry.name}`} onClick={() => change((current) => removeMember(current, name, entry.name))} />
                </>
              ) : null}
            </li>
          ))}
        </ul>
        <PackageField
          label={`Add a package to ${name}`}
          placeholder="Add a package to this line"
          taken={group.packages.map((entry) => entry.name)}
          full={countPackages(comparison) >= MAX_PACKAGES}
          onChoose={(added) => change((current) => mergeInto(current, name, added))}
        />
      </section>
    </>
  )
}
