import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'

const history = createMemoryHistory({ initialEntries: ['/trails/salt-ridge?km=12'] })
const root = createRootRoute({ notFoundComponent: () => <p>No route matches this address.</p> })
const trail = createRoute({
  getParentRoute: () => root,
  path: '/trails/$name',
  validateSearch: ({ km }) => ({ km: Number(km) || 0 }),
  component: () => <article><output>{trail.useParams().name}</output>{trail.useSearch().km} km</article>,
})
const routeTree = root.addChildren([trail])
const router = createRouter({ history, routeTree, scrollRestoration: () => false })

export const Demo = () => (
  <>
    <label>Address <input defaultValue={history.location.href}
      onChange={(event) => history.replace(event.target.value)} /></label>
    <RouterProvider router={router} />
  </>
)
