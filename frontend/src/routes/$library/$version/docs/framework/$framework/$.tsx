import { createFileRoute, getRouteApi, redirect } from '@tanstack/react-router'
import { Doc } from '../../../../../../components/docs/Doc'
import { useMenu } from '../../../../../../components/docs/useMenu'
import { NotFound } from '../../../../../../components/shell/NotFound'
import { articleHead, configAmong } from '../../../../../../lib/article'
import { frameworkOption } from '../../../../../../lib/framework'
import { crumbs, neighbours } from '../../../../../../lib/menu'
import { paths } from '../../../../../../lib/paths'
import { loadPage } from '../../../../../../lib/request'
import { nameIn } from '../../../../../../lib/version'

const layout = getRouteApi('/$library/$version/docs')

export const Route = createFileRoute('/$library/$version/docs/framework/$framework/$')({
  loader: ({ context: { load, library, version }, params: { framework, _splat: rest = '' } }) => {
    const path = `framework/${framework}/${rest}`
    if (path.endsWith('.md')) {
      throw redirect({ href: paths.markdown(library.id, version.name, path.slice(0, -3)), reloadDocument: true })
    }
    return loadPage(load, library, version, path)
  },
  head: ({ match: { context }, matches, params: { framework, _splat: rest = '' }, loaderData: page }) =>
    page
      ? articleHead({
          ...context,
          config: configAmong(matches),
          page,
          path: `framework/${framework}/${rest}`,
          framework,
          title: `${page.title} | ${nameIn(context.library, context.version)} ${frameworkOption(context.shell.frameworks, framework).label} Docs`,
        })
      : {},
  component: FrameworkDoc,
  notFoundComponent: NotFound,
})

function FrameworkDoc() {
  const { shell, library, version } = Route.useRouteContext()
  const { framework, _splat: rest = '' } = Route.useParams()
  const path = `framework/${framework}/${rest}`
  const config = layout.useLoaderData()
  const page = Route.useLoaderData()
  const place = { library, version: version.name }
  const { docs } = useMenu({ shell, ...place, config, path, inAddress: framework })
  return (
    <Doc
      page={page}
      way={crumbs(place, docs, path, page.title)}
      around={neighbours(docs, path)}
      framework={framework}
      markdown={paths.source(library.id, version.name, path)}
      origin={shell.origin}
    />
  )
}
