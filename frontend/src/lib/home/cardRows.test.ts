import { expect, test } from 'vitest'
import { balanceRows, placeCards, strandPlaces } from './cardRows'

const COUNTS = Array.from({ length: 40 }, (_, index) => index + 1)

test.each([
  [1, [1]],
  [4, [4]],
  [5, [3, 2]],
  [8, [4, 4]],
  [9, [3, 3, 3]],
  [10, [4, 3, 3]],
])('%d cards are in rows of %j', (count, rows) => {
  expect(balanceRows(count, 4)).toEqual(rows)
})

test.each(COUNTS)('of %d cards, none is alone in a row on a wide screen', (count) => {
  const cards = placeCards(count, Math.min(2, count))
  expect(cards).toHaveLength(count)
  for (const row of new Set(cards.map((card) => card.row))) {
    const inRow = cards.filter((card) => card.row === row)
    expect(inRow.length).toBe(inRow[0]?.inRow)
    expect(inRow.length).toBeGreaterThan(count === 1 ? 0 : 1)
  }
})

test.each(COUNTS)('%d cards fill rows of two', (count) => {
  const halves = placeCards(count, Math.min(2, count)).map(({ inPair }) => 2 / inPair)
  expect(halves.reduce((sum, each) => sum + each, 0) % 2).toBe(0)
})

test.each(COUNTS)('each of %d cards has a strand of its own, above the card', (count) => {
  const cards = placeCards(count, Math.min(2, count))
  const places = strandPlaces(cards)
  expect(new Set(places.map((place) => place.toFixed(4))).size).toBe(count)
  for (const [index, { left, width }] of cards.entries()) {
    expect(places[index]).toBeGreaterThan(left)
    expect(places[index]).toBeLessThan(left + width)
  }
})
