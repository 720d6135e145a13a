import { useSyncExternalStore } from 'react'

const subscribe = () => () => undefined

/** Whether the page answers to React: false on the server and until it has taken over. */
export function useLive(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
