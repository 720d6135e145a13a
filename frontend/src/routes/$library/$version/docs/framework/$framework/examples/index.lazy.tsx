import { createLazyFileRoute } from '@tanstack/react-router'
import { ExamplesPage } from '../../../../../../../components/examples/ExamplesPage'

export const Route = createLazyFileRoute('/$library/$version/docs/framework/$framework/examples/')({
  component: FrameworkExamples,
})

function FrameworkExamples() {
  const { library, version } = Route.useRouteContext()
  const { framework } = Route.useParams()
  const list = Route.useLoaderData()
  return <ExamplesPage library={library} version={version.name} list={list} framework={framework} />
}
