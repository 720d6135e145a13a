import { createStore, useSelector } from '@tanstack/solid-store'

const basket = createStore({ apples: 2, pears: 1 })

// Follows the basket, and is worked out again only when it changes.
const pieces = createStore(() => basket.state.apples + basket.state.pears)

function addApple() {
  basket.setState((state) => ({ ...state, apples: state.apples + 1 }))
}

export function Apples() {
  // Pears may come and go: this text changes with apples only.
  const apples = useSelector(basket, (state) => state.apples)
  return <button onClick={addApple}>{apples()} apples</button>
}

export function Total() {
  const total = useSelector(pieces)
  return <p>{total()} pieces in the basket</p>
}
