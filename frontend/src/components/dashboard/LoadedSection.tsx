import type { ReactNode } from 'react'
import { Button } from '../ui/Button'
import type { Loaded } from './useLoaded'

interface Props<Value> {
  state: Loaded<Value>
  reload: () => void
  children: (value: Value) => ReactNode
}

/** What a function answered, or why there is no answer. */
export function LoadedSection<Value>({ state, reload, children }: Props<Value>) {
  switch (state.kind) {
    case 'loading':
      return <p className="dashboard-message">Loading…</p>
    case 'failed':
      return (
        <div role="alert" className="dashboard-message">
          <p>This could not be loaded. {state.message}</p>
          <Button onClick={reload}>Try again</Button>
        </div>
      )
    case 'loaded':
      return children(state.value)
  }
}
