import { For } from 'solid-js'
import { Link, createFileRoute } from '@tanstack/solid-router'
import { fetchTrails } from '../trails'

export const Route = createFileRoute('/trails/')({
  // The address bar is input like any other: checked, and typed from here on.
  validateSearch: (search) => ({ page: Math.max(1, Number(search.page) || 1) }),
  loaderDeps: ({ search }) => ({ page: search.page }),
  loader: ({ deps }) => fetchTrails(deps.page),
  component: Trails,
})

function Trails() {
  const search = Route.useSearch()
  const trails = Route.useLoaderData()

  return (
    <>
      <ul>
        <For each={trails()}>
          {(trail) => (
            <li>
              <Link to="/trails/$trailId" params={{ trailId: trail.id }}>
                {trail.name}
              </Link>
            </li>
          )}
        </For>
      </ul>
      <Link from={Route.fullPath} search={{ page: search().page + 1 }}>
        More trails
      </Link>
    </>
  )
}
