import type { CSSProperties } from 'react'
import type { Group, HomePage, LibraryCard } from '../../api/generated'
import type { PlacedCard } from '../../lib/home/cardRows'
import { placeCards, strandPlaces } from '../../lib/home/cardRows'
import { libraryColors } from '../../lib/colors'
import { Badge } from '../ui/Badge'
import { LibraryLogo } from '../ui/LibraryLogo'
import { Link } from '../ui/Link'
import { serverPath } from '../../lib/paths'
import { useShell } from '../ui/useShell'

export const LIBRARIES_ID = 'libraries'

export interface PlacedLibrary extends PlacedCard {
  library: LibraryCard
  group: string
  description: string
  /** Where the strand of the library runs, as a share of the width of the cards. */
  strandPlace: number
}

/** The cards in their order: the featured libraries, then the others by group. */
export function placeLibraries(page: HomePage, groups: readonly Group[], libraries: readonly LibraryCard[]): PlacedLibrary[] {
  const grouped = groups.flatMap(({ label, libraries: ids }) =>
    ids.flatMap((id) => libraries.filter((library) => library.id === id).map((library) => ({ library, group: label }))),
  )
  const featured = page.featured.flatMap((id) => grouped.filter(({ library }) => library.id === id))
  const ordered = [...featured, ...grouped.filter((one) => !featured.includes(one))]
  const cards = placeCards(ordered.length, featured.length)
  const places = strandPlaces(cards)
  return ordered.flatMap(({ library, group }, index) => {
    const card = cards[index]
    const description = page.libraries.find(({ id }) => id === library.id)?.description ?? ''
    return card ? [{ ...card, library, group, description, strandPlace: places[index] ?? 0.5 }] : []
  })
}

/** All libraries. */
export function LibraryGrid({ cards, heading }: { cards: readonly PlacedLibrary[]; heading: string }) {
  const isGrouped = useShell().groups.length > 1
  return (
    <section id={LIBRARIES_ID} className="home-libraries" aria-labelledby="libraries-title">
      <h2 id="libraries-title" className="title">
        {heading}
      </h2>
      <ul className="home-grid">
        {cards.map((card) => (
          <LibraryGridCard key={card.library.id} card={card} isGrouped={isGrouped} passing={cards.filter((other) => passes(other, card))} />
        ))}
      </ul>
    </section>
  )
}

/** Whether the strand of the first card is visible above the second one: it ends there, or runs on behind it. */
function passes({ row, strandPlace }: PlacedLibrary, { row: above, left, width }: PlacedLibrary): boolean {
  return row >= above && strandPlace > left && strandPlace <= left + width
}

interface CardStyle extends CSSProperties {
  '--in-row': number
  '--in-pair': number
}

interface StitchStyle extends CSSProperties {
  '--at': string
}

interface CardProps {
  card: PlacedLibrary
  /** Whether the card names its group. */
  isGrouped: boolean
  /** Libraries whose strands are visible above the card. */
  passing: PlacedLibrary[]
}

function LibraryGridCard({ card, isGrouped, passing }: CardProps) {
  const { library, group, description, inRow, inPair, isFeatured, row } = card
  const style: CardStyle = { ...libraryColors(library), '--in-row': inRow, '--in-pair': inPair }
  const badge = library.badge ? <Badge tone={library.badge}>{library.badge}</Badge> : null
  return (
    <li className={`card home-card${isFeatured ? ' home-card-featured' : ''}`} style={style}>
      {isGrouped ? (
        <p className="home-card-group">
          {group}
          {badge}
        </p>
      ) : null}
      <h3>
        <LibraryLogo library={library} />
        <Link to={serverPath(library.to)} className="card-link">
          {library.name}
        </Link>
        {isGrouped ? null : badge}
      </h3>
      <p className="home-tagline">{library.tagline}</p>
      {isFeatured ? <p className="home-card-description">{description}</p> : null}
      {row > 0
        ? passing.map((other) => <Stitch key={other.library.id} library={other.library} at={(other.strandPlace - card.left) / card.width} />)
        : null}
    </li>
  )
}

/** The visible part of a strand between two rows of cards. */
function Stitch({ library, at }: { library: LibraryCard; at: number }) {
  const style: StitchStyle = { ...libraryColors(library), '--at': `${(at * 100).toFixed(2)}%` }
  return <i className="home-stitch" aria-hidden="true" style={style} />
}
