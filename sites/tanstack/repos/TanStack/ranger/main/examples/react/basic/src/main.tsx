import { StrictMode, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useRanger } from '@tanstack/react-ranger'
import './styles.css'

const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 })
const names = ['Lowest price', 'Highest price']

const rooms = [
  { name: 'Bunk in a dormitory', price: 35 },
  { name: 'Single, courtyard side', price: 80 },
  { name: 'Double, street side', price: 115 },
  { name: 'Double with balcony', price: 140 },
  { name: 'Family room', price: 175 },
]

function PriceFilter() {
  const trackRef = useRef<HTMLDivElement>(null)
  const [prices, setPrices] = useState<ReadonlyArray<number>>([60, 150])

  const ranger = useRanger<HTMLDivElement>({
    getRangerElement: () => trackRef.current,
    values: prices,
    min: 0,
    max: 200,
    stepSize: 5,
    tickSize: 50,
    onChange: (instance) => setPrices(instance.sortedValues),
  })

  const [low = 0, high = 200] = prices
  const affordable = rooms.filter((room) => room.price >= low && room.price <= high)

  return (
    <main>
      <h1>Rooms by price</h1>

      <div ref={trackRef} className="track">
        {ranger.getSteps().map(({ left, width }, index) => (
          // Two handles cut the track into three segments; the middle one is the chosen range.
          <div
            key={index}
            className={index === 1 ? 'segment chosen' : 'segment'}
            style={{ left: `${left}%`, width: `${width}%` }}
          />
        ))}

        {ranger.getTicks().map(({ key, value, percentage }) => (
          <span key={key} className="tick" style={{ left: `${percentage}%` }}>
            {euros.format(value)}
          </span>
        ))}

        {ranger.handles().map((handle, index) => (
          <button
            key={index}
            type="button"
            role="slider"
            className={handle.isActive ? 'handle active' : 'handle'}
            aria-label={names[index]}
            aria-valuemin={ranger.options.min}
            aria-valuemax={ranger.options.max}
            aria-valuenow={handle.value}
            aria-valuetext={euros.format(handle.value)}
            style={{ left: `${ranger.getPercentageForValue(handle.value)}%` }}
            onKeyDown={handle.onKeyDownHandler}
            onMouseDown={handle.onMouseDownHandler}
            onTouchStart={handle.onTouchStart}
          />
        ))}
      </div>

      <p aria-live="polite">
        {affordable.length} of {rooms.length} rooms between {euros.format(low)} and {euros.format(high)}
      </p>
      <ul>
        {affordable.map((room) => (
          <li key={room.name}>
            {room.name}, {euros.format(room.price)}
          </li>
        ))}
      </ul>
    </main>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <PriceFilter />
  </StrictMode>,
)
