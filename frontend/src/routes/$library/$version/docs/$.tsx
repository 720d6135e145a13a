import { createFileRoute, getRouteApi, redirect } from '@tanstack/react-router'
import { CorePage } from '../../../../components/docs/CorePage'
import { NotFound } from '../../../../components/shell/NotFound'
import { corePageHead } from '../../../../lib/docs/docsHead'
import { isPreviewName, paths } from '../../../../lib/paths'
import { loadPage } from '../../../../lib/loadPage'

const layout = getRouteApi('/$library/$version/docs')

export const Route = createFileRoute('/$library/$version/docs/$')({
  loader: ({ context: { load, library, version }, params: { _splat: path = '' } }) => {
    if (path.endsWith('.md') && !isPreviewName(version.name)) {
      throw redirect({ href: paths.markdown(library.id, version.name, path.slice(0, -3)), reloadDocument: true })
    }
    return loadPage(load, library, version, path)
  },
  head: ({ match: { context }, matches, params: { _splat: path = '' }, loaderData: page }) =>
    page ? corePageHead({ ...context, matches, page, path }) : {},
  component: CoreDoc,
  notFoundComponent: NotFound,
})

function CoreDoc() {
  const { library, version } = Route.useRouteContext()
  const { _splat: path = '' } = Route.useParams()
  return <CorePage library={library} version={version.name} config={layout.useLoaderData()} page={Route.useLoaderData()} path={path} />
}
