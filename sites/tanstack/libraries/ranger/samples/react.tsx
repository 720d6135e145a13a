import { useRef, useState } from 'react'
import { useRanger } from '@tanstack/react-ranger'

export function PriceFilter() {
  const trackRef = useRef<HTMLDivElement>(null)
  const [prices, setPrices] = useState<ReadonlyArray<number>>([60, 150])

  const ranger = useRanger<HTMLDivElement>({
    getRangerElement: () => trackRef.current,
    values: prices,
    min: 0,
    max: 200,
    stepSize: 5,
    onChange: (instance) => setPrices(instance.sortedValues),
  })

  return (
    <div ref={trackRef} className="track">
      {ranger.handles().map((handle, index) => (
        <button
          key={index}
          type="button"
          role="slider"
          className="handle"
          aria-label={index === 0 ? 'Lowest price' : 'Highest price'}
          aria-valuemin={ranger.options.min}
          aria-valuemax={ranger.options.max}
          aria-valuenow={handle.value}
          style={{ left: `${ranger.getPercentageForValue(handle.value)}%` }}
          onKeyDown={handle.onKeyDownHandler}
          onMouseDown={handle.onMouseDownHandler}
          onTouchStart={handle.onTouchStart}
        />
      ))}
    </div>
  )
}
