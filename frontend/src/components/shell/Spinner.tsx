import { useRouterState } from '@tanstack/react-router'

/** Shows that a navigation takes its time; by CSS only after half a second. */
export function Spinner() {
  const busy = useRouterState({ select: (state) => state.status === 'pending' })
  return busy ? (
    <output className="spinner">
      <span className="sr-only">Loading</span>
    </output>
  ) : null
}
