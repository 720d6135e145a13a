import { useRef, useState } from 'react'
import { type Ranger, useRanger } from '@tanstack/react-ranger'

export function Demo() {
  const track = useRef<HTMLDivElement>(null)
  const [values, setValues] = useState<readonly number[]>([60, 150])
  const getRangerElement = () => track.current
  const onChange = ({ sortedValues }: Ranger<HTMLDivElement>) => setValues(sortedValues)
  const ranger = useRanger({ getRangerElement, values, min: 0, max: 200, stepSize: 5, onChange })
  const segments = ranger.getSteps().map(({ left, width }, index) => (
    <i key={index} style={{ left: `${left}%`, width: `${width}%` }} />
  ))
  const handles = ranger.handles().map(({ value, ...on }, index) => (
    <button key={index} role="slider" aria-label={index ? 'Highest price' : 'Lowest price'}
      aria-valuemin={0} aria-valuemax={200} aria-valuenow={value} style={{ left: `${value / 2}%` }}
      onKeyDown={on.onKeyDownHandler} onMouseDown={on.onMouseDownHandler} onTouchStart={on.onTouchStart}>{value}</button>
  ))
  return <div ref={track}>{segments}{handles}</div>
}
