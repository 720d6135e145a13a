import { createFileRoute, getRouteApi, redirect } from '@tanstack/react-router'
import { DocsArticle } from '../../../../../../components/docs/DocsArticle'
import { useDocsMenu } from '../../../../../../components/docs/useDocsMenu'
import { NotFound } from '../../../../../../components/shell/NotFound'
import { docsHead, findDocsConfig } from '../../../../../../lib/docs/docsHead'
import { findFramework } from '../../../../../../lib/docs/framework'
import { listCrumbs, findAdjacentPages } from '../../../../../../lib/docs/docsMenu'
import { isPreviewName, paths } from '../../../../../../lib/paths'
import { loadPage } from '../../../../../../lib/loadPage'
import { versionedName } from '../../../../../../lib/docs/version'

const layout = getRouteApi('/$library/$version/docs')

export const Route = createFileRoute('/$library/$version/docs/framework/$framework/$')({
  loader: ({ context: { load, library, version }, params: { framework, _splat: rest = '' } }) => {
    const path = `framework/${framework}/${rest}`
    if (path.endsWith('.md') && !isPreviewName(version.name)) {
      throw redirect({ href: paths.markdown(library.id, version.name, path.slice(0, -3)), reloadDocument: true })
    }
    return loadPage(load, library, version, path)
  },
  head: ({ match: { context }, matches, params: { framework, _splat: rest = '' }, loaderData: page }) =>
    page
      ? docsHead({
          ...context,
          config: findDocsConfig(matches),
          page,
          path: `framework/${framework}/${rest}`,
          framework,
          title: `${page.title} | ${versionedName(context.library, context.version)} ${findFramework(context.shell.frameworks, framework).label} Docs`,
        })
      : {},
  component: FrameworkDoc,
  notFoundComponent: NotFound,
})

function FrameworkDoc() {
  const { library, version } = Route.useRouteContext()
  const { framework, _splat: rest = '' } = Route.useParams()
  const path = `framework/${framework}/${rest}`
  const config = layout.useLoaderData()
  const page = Route.useLoaderData()
  const place = { library, version: version.name }
  const { docs } = useDocsMenu({ ...place, config, path, inAddress: framework })
  return (
    <DocsArticle
      page={page}
      crumbs={listCrumbs(place, docs, path, page.title)}
      adjacent={findAdjacentPages(docs, path)}
      framework={framework}
      markdown={paths.source(library.id, version.name, path)}
      address={paths.docs(library.id, version.name, path)}
      topic={{ library: library.id, version: version.name, path }}
    />
  )
}
