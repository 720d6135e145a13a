import { createLazyFileRoute, getRouteApi } from '@tanstack/react-router'
import { CorePage } from '../../../../components/docs/CorePage'
import { ExamplesPage } from '../../../../components/examples/ExamplesPage'
import { EXAMPLES } from '../../../../lib/paths'

const layout = getRouteApi('/$library/$version/docs')

export const Route = createLazyFileRoute('/$library/$version/docs/examples')({ component: Examples })

function Examples() {
  const { library, version } = Route.useRouteContext()
  const config = layout.useLoaderData()
  const shown = Route.useLoaderData()
  return 'toc' in shown ? (
    <CorePage library={library} version={version.name} config={config} page={shown} path={EXAMPLES} />
  ) : (
    <ExamplesPage library={library} version={version.name} list={shown} framework={null} />
  )
}
