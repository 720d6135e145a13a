import { createLazyFileRoute } from '@tanstack/react-router'
import { ExamplesPage } from '../../../../components/examples/ExamplesPage'

export const Route = createLazyFileRoute('/$library/$version/docs/examples')({ component: Examples })

function Examples() {
  const { library, version } = Route.useRouteContext()
  const list = Route.useLoaderData()
  return <ExamplesPage library={library} version={version.name} list={list} framework={null} />
}
