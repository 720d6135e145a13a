import { createStore, useSelector } from '@tanstack/react-store'

const basket = createStore({ apples: 2, pears: 1 })
const total = createStore(() => basket.state.apples + basket.state.pears)

function Fruit({ name }: { name: 'apples' | 'pears' }) {
  const count = useSelector(basket, (state) => state[name])
  const add = () => basket.setState((state) => ({ ...state, [name]: state[name] + 1 }))
  return (
    <article>
      <output>{count}</output>
      <button onClick={add}>Add {name}</button>
    </article>
  )
}

export function Demo() {
  const pieces = useSelector(total)
  return <><Fruit name="apples" /><Fruit name="pears" /><p>{pieces} pieces in the basket</p></>
}
