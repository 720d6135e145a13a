import { Link, createFileRoute } from '@tanstack/react-router'
import { GRADES, fetchTrails } from '../trails'
import type { Grade } from '../trails'

interface TrailSearch {
  grade?: Grade
  longest?: boolean
}

export const Route = createFileRoute('/trails/')({
  // Whatever someone typed into the address bar becomes a TrailSearch, or is left out.
  validateSearch: (search: Record<string, unknown>): TrailSearch => ({
    grade: GRADES.find((grade) => grade === search.grade),
    longest: search.longest === true ? true : undefined,
  }),
  // The order does not concern the server, so it is not part of the loader's cache key.
  loaderDeps: ({ search }) => ({ grade: search.grade }),
  loader: ({ deps }) => fetchTrails(deps.grade),
  component: Trails,
})

// Without it a link counts as active when its search values are some of the current ones.
const EXACT = { exact: true }

function Trails() {
  const { longest } = Route.useSearch()
  const loaded = Route.useLoaderData()
  const trails = longest ? loaded.toSorted((a, b) => b.km - a.km) : loaded

  return (
    <>
      <h1>Trails</h1>
      <p>
        {GRADES.map((grade) => (
          <Link
            key={grade}
            from={Route.fullPath}
            activeOptions={EXACT}
            search={(old) => ({ ...old, grade })}
          >
            {grade}
          </Link>
        ))}
        <Link
          from={Route.fullPath}
          activeOptions={EXACT}
          search={(old) => ({ ...old, grade: undefined })}
        >
          all
        </Link>
        <Link
          from={Route.fullPath}
          activeOptions={EXACT}
          search={(old) => ({ ...old, longest: old.longest ? undefined : true })}
        >
          {longest ? 'usual order' : 'longest first'}
        </Link>
      </p>
      <ul>
        {trails.map((trail) => (
          <li key={trail.id}>
            <Link to="/trails/$trailId" params={{ trailId: trail.id }}>
              {trail.name}
            </Link>
            , {trail.km} km
          </li>
        ))}
      </ul>
    </>
  )
}
