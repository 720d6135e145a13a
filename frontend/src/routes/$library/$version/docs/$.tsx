import { createFileRoute, getRouteApi, redirect } from '@tanstack/react-router'
import { Doc } from '../../../../components/docs/Doc'
import { useMenu } from '../../../../components/docs/useMenu'
import { NotFound } from '../../../../components/shell/NotFound'
import { articleHead, configAmong } from '../../../../lib/article'
import { crumbs, neighbours } from '../../../../lib/menu'
import { paths } from '../../../../lib/paths'
import { loadPage } from '../../../../lib/request'
import { nameIn } from '../../../../lib/version'

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
      ? articleHead({
          ...context,
          config: configAmong(matches),
          page,
          path,
          framework: null,
          title: `${page.title} | ${nameIn(context.library, context.version)} Docs`,
        })
      : {},
  component: CoreDoc,
  notFoundComponent: NotFound,
})

function CoreDoc() {
  const { shell, library, version } = Route.useRouteContext()
  const { _splat: path = '' } = Route.useParams()
  const config = layout.useLoaderData()
  const page = Route.useLoaderData()
  const place = { library, version: version.name }
  const { docs } = useMenu({ shell, ...place, config, path, inAddress: undefined })
  return (
    <Doc
      page={page}
      way={crumbs(place, docs, path, page.title)}
      around={neighbours(docs, path)}
      framework={undefined}
      markdown={paths.source(library.id, version.name, path)}
      origin={shell.origin}
    />
  )
}
