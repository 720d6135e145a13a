import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { Icon } from '../../../../../components/ui/Icon'
import styles from '../../../../../styles/docs-index.css?inline'
import { Main } from '../../../../../components/ui/Main'
import { listFrameworks } from '../../../../../lib/docs/framework'
import { pageHead } from '../../../../../lib/pageHead'
import { paths } from '../../../../../lib/paths'
import { LATEST, versionedName } from '../../../../../lib/docs/version'
import { FrameworkLabel } from '../../../../../components/ui/FrameworkLabel'
import { Link } from '../../../../../components/ui/Link'

const layout = getRouteApi('/$library/$version/docs')

export const Route = createFileRoute('/$library/$version/docs/framework/')({
  loader: async ({ context: { load, library } }) => ({ versions: await load('docs.framework', { library: library.id }) }),
  head: ({ match: { context } }) =>
    context.library
      ? pageHead({
          title: `Frameworks | ${versionedName(context.library, context.version)} Docs`,
          description: `The frameworks that ${context.library.name} has docs for.`,
          origin: context.shell.origin,
          canonical: paths.frameworks(context.library.id, LATEST),
          version: context.version,
          image: paths.card(context.library.id),
        })
      : {},
  component: Frameworks,
})

function Frameworks() {
  const { shell, library, version } = Route.useRouteContext()
  const offered = listFrameworks(layout.useLoaderData(), shell.frameworks)
  return (
    <Main className="docs-page">
      <style>{styles}</style>
      <h1>Frameworks</h1>
      {offered.length > 0 ? (
        <>
          <p className="docs-intro">
            {library.name} has docs for each of these. The menu follows the one you choose, here and on every page.
          </p>
          <ul className="frameworks">
            {offered.map((option) => (
              <li key={option.value} className="card">
                <Link
                  to={paths.framework(library.id, version.name, option.value)}
                  className="card-link"
                  data-choose-framework={option.value}
                >
                  <FrameworkLabel value={option.value} />
                </Link>
                <Icon name="chevron" />
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>{library.name} works without a framework, and its docs are the same for every framework.</p>
      )}
    </Main>
  )
}
