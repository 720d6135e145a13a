import { useRouterState } from '@tanstack/react-router'

/** A bar that is shown while a navigation is pending; CSS delays it by 150 ms. */
export function NavigationSpinner() {
  const busy = useRouterState({ select: (state) => state.status === 'pending' })
  return busy ? (
    <output className="spinner">
      <span className="sr-only">Loading</span>
    </output>
  ) : null
}
