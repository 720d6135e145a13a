import { createStore } from '@tanstack/vue-store'

export interface Line {
  name: string
  price: number
  count: number
}

export type Basket = Record<string, Line>

export const basketStore = createStore<Basket, BasketActions>(
  {
    apple: { name: 'Apple', price: 0.6, count: 2 },
    bread: { name: 'Bread', price: 3.4, count: 1 },
    coffee: { name: 'Coffee', price: 7.9, count: 0 },
  },
  ({ setState }) => ({
    change(id, by) {
      setState((basket) => {
        const line = basket[id]
        if (!line) return basket
        // Only this line becomes a new object: whoever selected another line is left alone.
        return { ...basket, [id]: { ...line, count: Math.max(0, line.count + by) } }
      })
    },
  }),
)

type BasketActions = {
  change: (id: string, by: number) => void
}

/** Computed from the basket; it has no setState, so it cannot disagree with it. */
export const totalsStore = createStore(() => {
  const lines = Object.values(basketStore.state)
  return {
    pieces: lines.reduce((sum, line) => sum + line.count, 0),
    price: lines.reduce((sum, line) => sum + line.count * line.price, 0),
  }
})
