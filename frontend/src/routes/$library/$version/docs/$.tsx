import { createFileRoute, getRouteApi, redirect } from '@tanstack/react-router'
import { DocsArticle } from '../../../../components/docs/DocsArticle'
import { useDocsMenu } from '../../../../components/docs/useDocsMenu'
import { NotFound } from '../../../../components/shell/NotFound'
import { docsHead, findDocsConfig } from '../../../../lib/docs/docsHead'
import { listCrumbs, findAdjacentPages } from '../../../../lib/docs/docsMenu'
import { paths } from '../../../../lib/paths'
import { loadPage } from '../../../../lib/loadPage'
import { versionedName } from '../../../../lib/docs/version'

const layout = getRouteApi('/$library/$version/docs')

export const Route = createFileRoute('/$library/$version/docs/$')({
  loader: ({ context: { load, library, version }, params: { _splat: path = '' } }) => {
    if (path.endsWith('.md')) {
      throw redirect({ href: paths.markdown(library.id, version.name, path.slice(0, -3)), reloadDocument: true })
    }
    return loadPage(load, library, version, path)
  },
  head: ({ match: { context }, matches, params: { _splat: path = '' }, loaderData: page }) =>
    page
      ? docsHead({
          ...context,
          config: findDocsConfig(matches),
          page,
          path,
          framework: null,
          title: `${page.title} | ${versionedName(context.library, context.version)} Docs`,
        })
      : {},
  component: CoreDoc,
  notFoundComponent: NotFound,
})

function CoreDoc() {
  const { library, version } = Route.useRouteContext()
  const { _splat: path = '' } = Route.useParams()
  const config = layout.useLoaderData()
  const page = Route.useLoaderData()
  const place = { library, version: version.name }
  const { docs } = useDocsMenu({ ...place, config, path, inAddress: undefined })
  return (
    <DocsArticle
      page={page}
      crumbs={listCrumbs(place, docs, path, page.title)}
      adjacent={findAdjacentPages(docs, path)}
      framework={undefined}
      markdown={paths.source(library.id, version.name, path)}
      address={paths.docs(library.id, version.name, path)}
      topic={{ library: library.id, version: version.name, path }}
    />
  )
}
