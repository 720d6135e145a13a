import { useState } from 'react'
import { useDebouncer, useThrottledCallback } from '@tanstack/react-pacer'

export function Search({ onSearch }: { onSearch: (words: string) => void }) {
  const [words, setWords] = useState('')

  // Waits until the typing has stopped for 300 ms.
  const search = useDebouncer(onSearch, { wait: 300 })

  return (
    <input
      type="search"
      aria-label="Search"
      value={words}
      onChange={(event) => {
        setWords(event.target.value)
        search.maybeExecute(event.target.value)
      }}
    />
  )
}

export function Volume({ onVolume }: { onVolume: (percent: number) => void }) {
  // Runs while the handle is dragged, but at most ten times a second.
  const report = useThrottledCallback(onVolume, { wait: 100 })

  return (
    <input
      type="range"
      aria-label="Volume"
      onInput={(event) => report(event.currentTarget.valueAsNumber)}
    />
  )
}
