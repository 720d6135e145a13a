import { For, Show, createMemo } from 'solid-js'
import { render } from 'solid-js/web'
import { shallow, useSelector } from '@tanstack/solid-store'
import { basketStore, totalsStore } from './basket'
import './styles.css'

const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })

function Row(props: { id: string }) {
  const line = useSelector(basketStore, (basket) => basket[props.id])
  // Counts how often this line has arrived, the first time included.
  const updates = createMemo<number>((before) => (line() ? before + 1 : before), 0)

  return (
    <Show when={line()}>
      {(line) => (
        <li>
          <span>
            {line().name}, {euros.format(line().price)}
          </span>
          <button
            aria-label={`One ${line().name} less`}
            onClick={() => basketStore.actions.change(props.id, -1)}
          >
            −
          </button>
          <output>{line().count}</output>
          <button
            aria-label={`One ${line().name} more`}
            onClick={() => basketStore.actions.change(props.id, 1)}
          >
            +
          </button>
          <small>updated {updates()}×</small>
        </li>
      )}
    </Show>
  )
}

function Basket() {
  // Object.keys makes a new array each time; shallow compares what is in it.
  const ids = useSelector(basketStore, (basket) => Object.keys(basket), { compare: shallow })
  return (
    <ul>
      <For each={ids()}>{(id) => <Row id={id} />}</For>
    </ul>
  )
}

function Total() {
  const totals = useSelector(totalsStore)
  return (
    <p>
      {totals().pieces} pieces, <strong>{euros.format(totals().price)}</strong>
    </p>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

render(
  () => (
    <main>
      <h1>Basket</h1>
      <Basket />
      <Total />
    </main>
  ),
  root,
)
