import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'

const client = new QueryClient()
const rollDie = async () => {
  await new Promise((resolve) => setTimeout(resolve, 900)) // As slow as a server.
  return Math.ceil(6 * Math.random())
}

function Die() {
  const die = useQuery({ queryKey: ['die'], queryFn: rollDie, staleTime: 4000 })
  return (
    <article aria-busy={die.isFetching}>
      <output>{die.data ?? '…'}</output>
      <mark>{die.isFetching ? 'fetching' : die.isStale ? 'stale' : 'fresh'}</mark>
      <button onClick={() => die.refetch()}>Refetch</button>
    </article>
  )
}
// Two components, one key, one request.
export const Demo = () => <QueryClientProvider client={client}><Die /><Die /></QueryClientProvider>
