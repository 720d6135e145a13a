import { createFileRoute, notFound } from '@tanstack/react-router'
import { fetchTrail } from '../trails'

export const Route = createFileRoute('/trails/$trailId')({
  loader: async ({ params }) => {
    const trail = await fetchTrail(params.trailId)
    if (!trail) throw notFound()
    return trail
  },
  component: TrailPage,
  notFoundComponent: () => <p>That trail is not in the guide.</p>,
})

function TrailPage() {
  const trail = Route.useLoaderData()

  return (
    <article>
      <h1>{trail.name}</h1>
      <p>
        {trail.km} km, {trail.grade}
      </p>
      <p>{trail.about}</p>
    </article>
  )
}
