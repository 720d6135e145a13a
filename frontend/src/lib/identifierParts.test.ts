import { expect, test } from 'vitest'
import { identifierParts } from './identifierParts'

test.each([
  ['queryClient.getMutationDefaults', ['query', 'Client.', 'get', 'Mutation', 'Defaults']],
  ['The useInfiniteQueryOptions hook', ['The use', 'Infinite', 'Query', 'Options hook']],
  ['packages/query-core/src/HTMLElementObserver.ts', ['packages/query-core/', 'src/', 'HTML', 'Element', 'Observer.', 'ts']],
  ['experimental_createPersister', ['experimental_', 'create', 'Persister']],
  ['QueryObserverOptions<TData,TError>()', ['Query', 'Observer', 'Options<', 'T', 'Data,', 'T', 'Error>()']],
  ['std::collections::HashMap', ['std::', 'collections::', 'Hash', 'Map']],
  ['incomprehensibilities', ['incomprehensibilities']],
  ['useQuery and useMutation', ['useQuery and useMutation']],
  ['useQuery', ['useQuery']],
  ['', ['']],
])('%s may break between its parts', (text, parts) => {
  expect(identifierParts(text)).toEqual(parts)
  expect(parts.join('')).toBe(text)
})
