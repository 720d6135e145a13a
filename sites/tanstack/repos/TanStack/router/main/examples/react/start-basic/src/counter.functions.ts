import { createServerFn } from '@tanstack/react-start'
import { addToCount, readCount } from './counter.server'

export const getCount = createServerFn({ method: 'GET' }).handler(() => readCount())

export const addCount = createServerFn({ method: 'POST' })
  // The type is what callers see; the check is for whoever calls without TypeScript.
  .validator((amount: number) => {
    if (!Number.isInteger(amount) || amount < 1 || amount > 10) {
      throw new Error('Add a whole number from 1 to 10')
    }
    return amount
  })
  .handler(({ data }) => addToCount(data))
