// What a box of ours shows: another library of the family, or a partner.
import type { LibraryCard, PromoPartner, PromoSlot, Shell } from '../../api/generated'
import { hue } from '../../lib/hue'
import { inTurn, partnersOf, railOf } from '../../lib/promo'

export interface Shown {
  kind: string
  name: string
  words: string
  more: string
  href: string
  rel?: string
  style?: ReturnType<typeof hue>
}

const RAILS: Record<string, 'right' | 'left'> = { 'right-rail': 'right', 'left-rail': 'left' }

/** How long it shows the same. */
export function turnMs({ id, refreshMs }: PromoSlot, shell: Shell): number {
  return RAILS[id] ? shell.promo.rotationMs : refreshMs
}

/** What it shows on a page about this library, when it is the turn of this number. */
export function shownIn({ id }: PromoSlot, shell: Shell, library: string | undefined, path: string, turn: number) {
  const side = RAILS[id]
  if (side) return ofLibrary(inTurn(railOf(shell.libraries, side, library), path, turn))
  // On a library's own page its partners have a place already.
  if (id === 'leaderboard' && library) {
    return ofLibrary(inTurn(shell.libraries.filter((one) => one.id !== library), path, turn))
  }
  return ofPartner(inTurn(partnersOf(shell.promo.partners, library), path, turn), shell.family)
}

function ofLibrary(library: LibraryCard | undefined): Shown | undefined {
  if (!library) return undefined
  const { name, tagline, to } = library
  return { kind: 'From the family', name, words: tagline, more: 'Learn more', href: to, style: hue(library) }
}

function ofPartner(partner: PromoPartner | undefined, family: string): Shown | undefined {
  if (!partner) return undefined
  const { name, text, href } = partner
  return { kind: `Partner of ${family}`, name, words: text, more: 'Visit', href, rel: 'noopener sponsored' }
}
