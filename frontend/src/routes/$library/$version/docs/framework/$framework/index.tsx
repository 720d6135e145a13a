import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { DocsIndex } from '../../../../../../components/docs/DocsIndex'
import { useDocsMenu } from '../../../../../../components/docs/useDocsMenu'
import { NotFound } from '../../../../../../components/shell/NotFound'
import styles from '../../../../../../styles/docs-index.css?inline'
import { Main } from '../../../../../../components/ui/Main'
import { findFramework, listFrameworks } from '../../../../../../lib/docs/framework'
import { pageHead } from '../../../../../../lib/pageHead'
import { paths } from '../../../../../../lib/paths'
import { pageNotFound } from '../../../../../../lib/loadPage'
import { LATEST, versionedName } from '../../../../../../lib/docs/version'

const layout = getRouteApi('/$library/$version/docs')

export const Route = createFileRoute('/$library/$version/docs/framework/$framework/')({
  loader: async ({ context: { load, shell, library, version }, params: { framework }, parentMatchPromise }) => {
    const [{ loaderData: config }, versions] = await Promise.all([
      parentMatchPromise,
      load('docs.framework', { library: library.id, framework }),
    ])
    const offered = config ? listFrameworks(config, shell.frameworks) : []
    const option = offered.find(({ value }) => value === framework)
    if (config && !option) {
      const list = { title: `Frameworks of ${library.name}`, to: paths.frameworks(library.id, version.name) }
      throw pageNotFound({ message: `${versionedName(library, version)} has no docs for ${findFramework(shell.frameworks, framework).label}`, nearest: [list], versions })
    }
    return { ...(option ?? findFramework(shell.frameworks, framework)), versions }
  },
  head: ({ match: { context }, params: { framework }, loaderData: option }) =>
    option
      ? pageHead({
          title: `${option.label} | ${versionedName(context.library, context.version)} Docs`,
          description: `Every page of the ${context.library.name} docs for ${option.label}.`,
          origin: context.shell.origin,
          canonical: paths.framework(context.library.id, LATEST, framework),
          version: context.version,
          image: paths.card(context.library.id, context.version.name, `framework/${framework}`),
        })
      : {},
  component: FrameworkHome,
  notFoundComponent: NotFound,
})

function FrameworkHome() {
  const { library, version } = Route.useRouteContext()
  const { framework } = Route.useParams()
  const config = layout.useLoaderData()
  const path = `framework/${framework}`
  const { docs } = useDocsMenu({ library, version: version.name, config, path, inAddress: framework })
  const option = Route.useLoaderData()
  return (
    <Main className="docs-page">
      <style>{styles}</style>
      <h1>{option.label}</h1>
      <p className="docs-intro">
        {library.name} with {option.label}: every page of the docs, in reading order.
      </p>
      <DocsIndex sections={docs} />
    </Main>
  )
}
