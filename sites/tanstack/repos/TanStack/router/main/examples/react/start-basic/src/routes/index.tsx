import { useState } from 'react'
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { addCount, getCount } from '../counter.functions'

export const Route = createFileRoute('/')({
  loader: () => getCount(),
  component: Home,
})

function Home() {
  const router = useRouter()
  const count = Route.useLoaderData()
  const [busy, setBusy] = useState(false)

  async function add(amount: number) {
    setBusy(true)
    try {
      await addCount({ data: amount })
      // Runs the loaders again, so the page shows what the server now knows.
      await router.invalidate()
    } finally {
      setBusy(false)
    }
  }

  return (
    <main>
      <h1>Pressed {count} times</h1>
      {[1, 5].map((amount) => (
        <button key={amount} type="button" disabled={busy} onClick={() => void add(amount)}>
          Add {amount}
        </button>
      ))}
    </main>
  )
}
