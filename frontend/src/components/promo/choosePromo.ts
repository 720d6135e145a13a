// Chooses the content of a promotion box: another library, or a partner.
import type { LibraryCard, Partner, PromoSlot, Shell } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { pickRotated, choosePartners, railLibraries } from '../../lib/promo'
import type { ExternalUrl, SitePath } from '../../lib/paths'
import { anyUrl, serverPath } from '../../lib/paths'

export interface PromoContent {
  kind: string
  name: string
  words: string
  more: string
  href: SitePath | ExternalUrl
  rel?: string
  style?: ReturnType<typeof libraryColors>
}

const RAIL_SIDES: Record<string, 'right' | 'left'> = { 'right-rail': 'right', 'left-rail': 'left' }

/** Interval of the rotation. */
export function rotationMs({ id, refreshMs }: PromoSlot, shell: Shell): number {
  return RAIL_SIDES[id] ? shell.promo.rotationMs : refreshMs
}

/** The content on a page about this library, at this step of the rotation. */
export function choosePromo({ id }: PromoSlot, shell: Shell, library: string | undefined, path: string, turn: number) {
  const side = RAIL_SIDES[id]
  if (side) return libraryPromo(pickRotated(railLibraries(shell.libraries, side, library), path, turn))
  // The library's own page lists its partners.
  if (id === 'leaderboard' && library) {
    return libraryPromo(pickRotated(shell.libraries.filter((one) => one.id !== library), path, turn))
  }
  return partnerPromo(pickRotated(choosePartners(shell.promo.partners, library), path, turn), shell.family)
}

function libraryPromo(library: LibraryCard | undefined): PromoContent | undefined {
  if (!library) return undefined
  const { name, tagline, to } = library
  return { kind: 'From the family', name, words: tagline, more: 'Learn more', href: serverPath(to), style: libraryColors(library) }
}

function partnerPromo(partner: Partner | undefined, family: string): PromoContent | undefined {
  if (!partner) return undefined
  const { name, text, href } = partner
  return { kind: `Partner of ${family}`, name, words: text, more: 'Visit', href: anyUrl(href), rel: 'noopener sponsored' }
}
