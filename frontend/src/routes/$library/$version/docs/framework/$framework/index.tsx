import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { MenuList } from '../../../../../../components/docs/MenuList'
import { useMenu } from '../../../../../../components/docs/useMenu'
import { NotFound } from '../../../../../../components/shell/NotFound'
import { Main } from '../../../../../../components/ui/Main'
import { frameworkOption, frameworksOf } from '../../../../../../lib/framework'
import { head } from '../../../../../../lib/meta'
import { paths } from '../../../../../../lib/paths'
import { missing } from '../../../../../../lib/request'
import { LATEST, nameIn } from '../../../../../../lib/version'

const layout = getRouteApi('/$library/$version/docs')

export const Route = createFileRoute('/$library/$version/docs/framework/$framework/')({
  loader: async ({ context: { load, shell, library, version }, params: { framework }, parentMatchPromise }) => {
    const [{ loaderData: config }, versions] = await Promise.all([
      parentMatchPromise,
      load('docs.framework', { library: library.id, framework }),
    ])
    const offered = config ? frameworksOf(library, config, shell.frameworks) : []
    const option = offered.find(({ value }) => value === framework)
    if (config && !option) {
      const list = { title: `Frameworks of ${library.name}`, to: paths.frameworks(library.id, version.name) }
      throw missing(`${library.name} has no docs for ${framework}`, [list])
    }
    return { ...(option ?? frameworkOption(shell.frameworks, framework)), versions }
  },
  head: ({ match: { context }, params: { framework }, loaderData: option }) =>
    option
      ? head({
          title: `${option.label} | ${nameIn(context.library, context.version)} Docs`,
          description: `Every page of the ${context.library.name} docs for ${option.label}.`,
          origin: context.shell.origin,
          canonical: paths.framework(context.library.id, LATEST, framework),
          image: paths.card(context.library.id, context.version.name, `framework/${framework}`),
        })
      : {},
  component: FrameworkHome,
  notFoundComponent: NotFound,
})

function FrameworkHome() {
  const { shell, library, version } = Route.useRouteContext()
  const { framework } = Route.useParams()
  const config = layout.useLoaderData()
  const path = `framework/${framework}`
  const { docs } = useMenu({ shell, library, version: version.name, config, path, inAddress: framework })
  const option = Route.useLoaderData()
  return (
    <Main className="docs-page">
      <h1>{option.label}</h1>
      <p className="mb-6 text-muted">
        {library.name} with {option.label}: every page of the docs, in reading order.
      </p>
      <MenuList sections={docs} />
    </Main>
  )
}
