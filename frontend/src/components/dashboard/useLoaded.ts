import { useCallback, useEffect, useState } from 'react'
import type { FunctionId, Load } from '../../api/call'
import { ServerError } from '../../api/call'
import type { Functions } from '../../api/generated'

export type Loaded<Value> =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'loaded'; value: Value }

/** The answer of a function, which `reload` requests again. While it loads again, the former answer stays. */
export function useLoaded<Id extends FunctionId>(
  load: Load,
  id: Id,
  data: Functions[Id]['input'],
): { state: Loaded<Functions[Id]['output']>; reload: () => void } {
  const [state, setState] = useState<Loaded<Functions[Id]['output']>>({ kind: 'loading' })
  const key = JSON.stringify(data)
  const reload = useCallback(() => {
    let current = true
    // Made of `data`.
    load(id, JSON.parse(key) as Functions[Id]['input']).then(
      (value) => {
        if (current) setState({ kind: 'loaded', value })
      },
      (error: unknown) => {
        const message = error instanceof ServerError ? error.message : 'Something went wrong.'
        if (current) setState({ kind: 'failed', message })
      },
    )
    return () => {
      current = false
    }
  }, [load, id, key])
  useEffect(() => reload(), [reload])
  return { state, reload: useCallback(() => void reload(), [reload]) }
}
