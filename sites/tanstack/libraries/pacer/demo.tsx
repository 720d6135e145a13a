import { useState } from 'react'
import { useDebouncer } from '@tanstack/react-pacer'

export function Demo() {
  const [settled, settle] = useState('')
  const { maybeExecute, state } = useDebouncer(settle, { wait: 600 }, (all) => all)
  return (
    <>
      <label>
        Type something
        <input onChange={(event) => maybeExecute(event.target.value)} />
      </label>
      <article aria-busy={state.isPending}>
        <output>{settled || '…'}</output>
        <mark>{state.maybeExecuteCount} calls, {state.executionCount} runs</mark>
      </article>
    </>
  )
}
