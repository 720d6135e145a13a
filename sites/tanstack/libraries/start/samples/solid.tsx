import { createFileRoute, useRouter } from '@tanstack/solid-router'
import { createServerFn } from '@tanstack/solid-start'
import { readCount, writeCount } from '../counter.server'

// These run on the server only. In the browser, a call is a request.
const getCount = createServerFn({ method: 'GET' }).handler(() => readCount())

const addCount = createServerFn({ method: 'POST' })
  .validator((amount: number) => Math.max(1, Math.round(amount)))
  .handler(async ({ data }) => {
    await writeCount((await readCount()) + data)
  })

export const Route = createFileRoute('/')({
  loader: () => getCount(),
  component: Home,
})

function Home() {
  const router = useRouter()
  const count = Route.useLoaderData()

  async function add() {
    await addCount({ data: 1 })
    await router.invalidate()
  }

  return <button onClick={() => void add()}>Pressed {count()} times</button>
}
