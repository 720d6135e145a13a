import { useRouterState } from '@tanstack/react-router'

/** Shown while a navigation is pending; CSS delays it by half a second. */
export function NavigationSpinner() {
  const busy = useRouterState({ select: (state) => state.status === 'pending' })
  return busy ? (
    <output className="spinner">
      <span className="sr-only">Loading</span>
    </output>
  ) : null
}
