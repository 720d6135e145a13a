// Chooses the content of a promotion box: an announcement, another library, or a partner.
import type { Announcement, LibraryCard, Partner, PromoSlot, Shell } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { pickRotated, choosePartners, railLibraries } from '../../lib/promo'
import type { ExternalUrl, SitePath } from '../../lib/paths'
import { anyUrl, isExternal, serverPath } from '../../lib/paths'

export interface PromoContent {
  kind: string
  name: string
  words: string
  more: string
  href: SitePath | ExternalUrl
  rel?: string
  style?: ReturnType<typeof libraryColors>
  /** No third party fills the box. */
  isAnnouncement?: true
}

const RAIL_SIDES: Record<string, 'right' | 'left'> = { 'right-rail': 'right', 'left-rail': 'left' }

/** Interval of the rotation. */
export function rotationMs({ id, refreshMs }: PromoSlot, shell: Shell): number {
  return RAIL_SIDES[id] ? shell.promo.rotationMs : refreshMs
}

/** The content on a page about this library, at this step of the rotation. Nothing in a paused slot. */
export function choosePromo(slot: PromoSlot, shell: Shell, library: string | undefined, path: string, turn: number) {
  return pickRotated(promoChoices(slot, shell, library), path, turn)
}

/** What the box may show on a page about this library. */
export function promoChoices({ id }: PromoSlot, shell: Shell, library: string | undefined): PromoContent[] {
  const { announcements, partners, paused } = shell.promo
  if (paused.includes(id)) return []
  const announced = announcements.filter(({ slots }) => slots.includes(id))
  if (announced.length > 0) return announced.map(announcementPromo)
  const side = RAIL_SIDES[id]
  if (side) return railLibraries(shell.libraries, side, library).map(libraryPromo)
  // The library's own page lists its partners.
  if (id === 'leaderboard' && library) return shell.libraries.filter((one) => one.id !== library).map(libraryPromo)
  return choosePartners(partners, library).map((partner) => partnerPromo(partner, shell.family))
}

function announcementPromo({ title, text, href }: Announcement): PromoContent {
  const content = { kind: 'Announcement', name: title, words: text, more: 'Learn more', href: anyUrl(href), isAnnouncement: true } as const
  return isExternal(href) ? { ...content, rel: 'noopener' } : content
}

function libraryPromo(library: LibraryCard): PromoContent {
  const { name, tagline, to } = library
  return { kind: 'From the family', name, words: tagline, more: 'Learn more', href: serverPath(to), style: libraryColors(library) }
}

function partnerPromo(partner: Partner, family: string): PromoContent {
  const { name, text, href } = partner
  return { kind: `Partner of ${family}`, name, words: text, more: 'Visit', href: anyUrl(href), rel: 'noopener sponsored' }
}
