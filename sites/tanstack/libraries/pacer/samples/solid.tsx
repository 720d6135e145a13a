import { For, createResource, createSignal } from 'solid-js'
import { createDebouncedValue } from '@tanstack/solid-pacer'
import { fetchBirds } from './api'

export function Birds() {
  const [words, setWords] = createSignal('')

  // Follows the words once the typing has stopped for 300 ms.
  const [settled] = createDebouncedValue(words, { wait: 300 })
  const [birds] = createResource(settled, fetchBirds)

  return (
    <>
      <input
        type="search"
        aria-label="Find a bird"
        value={words()}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <ul>
        <For each={birds()}>{(bird) => <li>{bird}</li>}</For>
      </ul>
    </>
  )
}
