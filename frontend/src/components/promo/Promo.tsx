// A box of fixed size that points elsewhere in the family, or to a partner. Complete as the server writes it; in the
// browser it takes turns while it is seen, and somebody else may fill it for readers who have agreed to that.
import { useHydrated, useLocation } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { PromoSlot, Shell } from '../../api/generated'
import { SLOT_SEEN } from '../../lib/events'
import { paths } from '../../lib/paths'
import { Foreign } from '../ui/Foreign'
import { Styles } from '../ui/Styles'
import { shownIn, turnMs } from './shown'
import { useSeen } from './useSeen'
import { useTurns } from './useTurns'

interface Props {
  shell: Shell
  slot: 'leaderboard' | 'footer' | 'right-rail' | 'left-rail'
  /** The library one is reading about: it needs no promotion there. */
  library?: string | undefined
}

export function Promo({ shell, slot: id, library }: Props) {
  const slot = shell.promo.slots.find((one) => one.id === id)
  return slot ? (
    <>
      <Styles name="promo" />
      <Box shell={shell} slot={slot} library={library} />
    </>
  ) : null
}

function Box({ shell, slot, library }: { shell: Shell; slot: PromoSlot; library: string | undefined }) {
  const box = useRef<HTMLElement>(null)
  const seen = useSeen(box)
  const moves = useMoves()
  const [held, setHeld] = useState(false)
  const running = seen && moves && !held
  const turn = useTurns(turnMs(slot, shell), running)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const shown = shownIn(slot, shell, library, path, turn)
  const outside = shell.promo.outside.length > 0
  useRefreshes(box, useTurns(slot.refreshMs, running && outside), seen && outside)
  if (!shown) return null
  return (
    <aside
      ref={box}
      className="promo"
      data-slot={slot.id}
      data-seen={seen ? '' : undefined}
      aria-label={`${shown.kind}: ${shown.name}`}
    >
      <div className="promo-box">
        <a href={shown.href} rel={shown.rel} className="promo-house" style={shown.style}>
          <strong>{shown.name}</strong>
          <span>{shown.words}</span>
          <span className="promo-more" aria-hidden="true">
            {shown.more}
          </span>
        </a>
        {outside ? <Foreign className="promo-outside" /> : null}
      </div>
      <p className="promo-foot">
        <span>{shown.kind}</span>
        <a href={`${paths.written('ethos')}#how-it-is-paid-for`}>Why is this here?</a>
        <Hold hidden={!moves} held={held} onChange={setHeld} />
      </p>
    </aside>
  )
}

interface HoldProps {
  hidden: boolean
  held: boolean
  onChange: (held: boolean) => void
}

/** Stops what would change by itself. */
function Hold({ hidden, held, onChange }: HoldProps) {
  return (
    <button type="button" hidden={hidden} onClick={() => onChange(!held)}>
      {held ? 'Go on' : 'Hold'}
      <span className="sr-only">{held ? ' changing this box' : ' this box as it is'}</span>
    </button>
  )
}

/** Whether boxes may change by themselves: only once there is a button that stops them, and where movement is welcome. */
function useMoves(): boolean {
  return useHydrated() && !matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** Tells whoever fills boxes that this one is seen for the first time, or has been for long enough. */
function useRefreshes(box: RefObject<HTMLElement | null>, turn: number, seen: boolean): void {
  const told = useRef(-1)
  useEffect(() => {
    if (!seen || told.current === turn) return
    told.current = turn
    box.current?.dispatchEvent(new Event(SLOT_SEEN, { bubbles: true }))
  }, [box, turn, seen])
}
