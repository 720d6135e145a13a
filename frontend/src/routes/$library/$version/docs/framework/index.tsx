import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { Icon } from '../../../../../components/ui/Icon'
import { Main } from '../../../../../components/ui/Main'
import { frameworksOf } from '../../../../../lib/framework'
import { hueOf } from '../../../../../lib/hue'
import { head } from '../../../../../lib/meta'
import { paths } from '../../../../../lib/paths'
import { LATEST, nameIn } from '../../../../../lib/version'

const layout = getRouteApi('/$library/$version/docs')

export const Route = createFileRoute('/$library/$version/docs/framework/')({
  loader: async ({ context: { load, library } }) => ({ versions: await load('docs.framework', { library: library.id }) }),
  head: ({ match: { context } }) =>
    context.library
      ? head({
          title: `Frameworks | ${nameIn(context.library, context.version)} Docs`,
          description: `The frameworks that ${context.library.name} has docs for.`,
          origin: context.shell.origin,
          canonical: paths.frameworks(context.library.id, LATEST),
          image: paths.card(context.library.id),
        })
      : {},
  component: Frameworks,
})

function Frameworks() {
  const { shell, library, version } = Route.useRouteContext()
  const offered = frameworksOf(library, layout.useLoaderData(), shell.frameworks)
  return (
    <Main className="docs-page">
      <h1>Frameworks</h1>
      {offered.length > 0 ? (
        <>
          <p className="mb-6 text-muted">
            {library.name} has docs for each of these. The menu follows the one you choose, here and on every page.
          </p>
          <ul className="frameworks">
            {offered.map((option) => (
              <li key={option.value} className="card" style={hueOf(option.color)}>
                <a href={paths.framework(library.id, version.name, option.value)} className="card-link dot">
                  {option.label}
                </a>
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
