import { Link, createFileRoute } from '@tanstack/react-router'
import { fetchTrails } from '../trails'

export const Route = createFileRoute('/trails/')({
  // The address bar is input like any other: checked, and typed from here on.
  validateSearch: (search) => ({ page: Math.max(1, Number(search.page) || 1) }),
  loaderDeps: ({ search }) => ({ page: search.page }),
  loader: ({ deps }) => fetchTrails(deps.page),
  component: Trails,
})

function Trails() {
  const { page } = Route.useSearch()
  const trails = Route.useLoaderData()

  return (
    <>
      <ul>
        {trails.map((trail) => (
          <li key={trail.id}>
            <Link to="/trails/$trailId" params={{ trailId: trail.id }}>
              {trail.name}
            </Link>
          </li>
        ))}
      </ul>
      <Link from={Route.fullPath} search={{ page: page + 1 }}>
        More trails
      </Link>
    </>
  )
}
