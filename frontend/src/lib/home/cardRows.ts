// The rows of cards on the home page: every row is full, whatever their number.

/** Lengths of as few rows as hold all cards, as equal as possible, the longer ones first. */
export function balanceRows(count: number, longest: number): number[] {
  const rows = Math.ceil(count / longest)
  return Array.from({ length: rows }, (_, row) => Math.floor(count / rows) + (row < count % rows ? 1 : 0))
}

export interface PlacedCard {
  row: number
  /** Cards in its row, on a wide screen and where there is room for two cards. */
  inRow: number
  inPair: number
  isFeatured: boolean
  /** Left edge and width on a wide screen, as shares of the width of all cards, without gaps. */
  left: number
  width: number
}

const MOST_IN_ROW = 4

/** Places the featured cards in the first row and the others below. Cards that would be alone in a row join the first one. */
export function placeCards(count: number, featured: number): PlacedCard[] {
  const first = count - featured === 1 ? count : Math.min(featured, count)
  const lengths = [...(first > 0 ? [first] : []), ...balanceRows(count - first, MOST_IN_ROW)]
  return lengths.flatMap((inRow, row) =>
    Array.from({ length: inRow }, (_, place) => ({
      row,
      inRow,
      // Of an odd number, the first card fills a row of two.
      inPair: count % 2 === 1 && row === 0 && place === 0 ? 1 : 2,
      isFeatured: row === 0 && featured > 0,
      left: place / inRow,
      width: 1 / inRow,
    })),
  )
}

/** Distance between two strands that run to different rows at the same place, as a share of the width of all cards. */
const APART = 0.012

/** Where the strand of each card runs, as shares of the width of all cards. */
export function strandPlaces(cards: readonly PlacedCard[]): number[] {
  const last = Math.max(...cards.map(({ row }) => row))
  return cards.map(({ left, width, row }) => left + width / 2 + (row - last / 2) * APART)
}
