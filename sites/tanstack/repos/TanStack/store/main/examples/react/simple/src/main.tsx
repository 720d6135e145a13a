import { StrictMode, useEffect, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { shallow, useSelector } from '@tanstack/react-store'
import { basketStore, totalsStore } from './basket'
import './styles.css'

const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })

/** Shows how often the row around it was rendered; the number is written after each render. */
function Renders() {
  const count = useRef(0)
  const label = useRef<HTMLElement>(null)
  useEffect(() => {
    count.current += 1
    if (label.current) label.current.textContent = `rendered ${count.current}×`
  })
  return <small ref={label} />
}

function Row({ id }: { id: string }) {
  const line = useSelector(basketStore, (basket) => basket[id])
  if (!line) return null
  return (
    <li>
      <span>
        {line.name}, {euros.format(line.price)}
      </span>
      <button aria-label={`One ${line.name} less`} onClick={() => basketStore.actions.change(id, -1)}>
        −
      </button>
      <output>{line.count}</output>
      <button aria-label={`One ${line.name} more`} onClick={() => basketStore.actions.change(id, 1)}>
        +
      </button>
      <Renders />
    </li>
  )
}

function Basket() {
  // Object.keys makes a new array each time; shallow compares what is in it.
  const ids = useSelector(basketStore, (basket) => Object.keys(basket), { compare: shallow })
  return (
    <ul>
      {ids.map((id) => (
        <Row key={id} id={id} />
      ))}
    </ul>
  )
}

function Total() {
  const { pieces, price } = useSelector(totalsStore)
  return (
    <p>
      {pieces} pieces, <strong>{euros.format(price)}</strong>
    </p>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <main>
      <h1>Basket</h1>
      <Basket />
      <Total />
    </main>
  </StrictMode>,
)
