// A box of fixed size that points to another library of the family, to a partner, or to what maintainers announce. The server renders it completely;
// `rotatePromos.ts` changes what it shows, and third parties may fill it for readers who have agreed.
import { useLocation } from '@tanstack/react-router'
import type { PromoSlot } from '../../api/generated'
import { anyUrl } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
import { AnyLink } from '../ui/Link'
import { UnmanagedSpan } from '../ui/UnmanagedSpan'
import { useShell } from '../ui/useShell'
import { choosePromo } from './choosePromo'

interface Props {
  slot: 'leaderboard' | 'footer' | 'right-rail' | 'left-rail'
  /** The library that the page is about: it is not promoted there. */
  library?: string | undefined
}

export function Promo({ slot: id, library }: Props) {
  const shell = useShell()
  const slot = shell.promo.slots.find((one) => one.id === id)
  return slot ? (
    <>
      <AreaStyles name="promo" />
      <PromoBox slot={slot} library={library} />
    </>
  ) : null
}

/** The rotation may have changed the box before hydration, which keeps those changes. */
function PromoBox({ slot, library }: { slot: PromoSlot; library: string | undefined }) {
  const shell = useShell()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const content = choosePromo(slot, shell, library, path, 0)
  if (!content) return null
  return (
    <aside
      className="promo"
      data-slot={slot.id}
      data-library={library}
      aria-label={`${content.kind}: ${content.name}`}
      suppressHydrationWarning
    >
      <div className="promo-box">
        <AnyLink to={content.href} rel={content.rel} className="promo-house-ad" style={content.style} suppressHydrationWarning>
          <strong suppressHydrationWarning>{content.name}</strong>
          <span suppressHydrationWarning>{content.words}</span>
          <span className="promo-action" aria-hidden="true" suppressHydrationWarning>
            {content.more}
          </span>
        </AnyLink>
        {shell.promo.externalScripts.length > 0 && !content.isAnnouncement ? <UnmanagedSpan className="promo-third-party" /> : null}
      </div>
      <p className="promo-footer">
        <span suppressHydrationWarning>{content.kind}</span>
        {shell.links.funding ? <AnyLink to={anyUrl(shell.links.funding)}>Why is this here?</AnyLink> : null}
        <PauseButton />
      </p>
    </aside>
  )
}

/** Stops the rotation of the box. Hidden until the box can rotate. */
function PauseButton() {
  return (
    <button type="button" hidden suppressHydrationWarning>
      Pause
      <span className="sr-only" suppressHydrationWarning>
        {' this box'}
      </span>
    </button>
  )
}
