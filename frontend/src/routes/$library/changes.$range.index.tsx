import { createFileRoute, notFound } from '@tanstack/react-router'
import { ChangeList } from '../../components/docs/ChangeList'
import { PageLayout } from '../../components/shell/PageLayout'
import { NotFound } from '../../components/shell/NotFound'
import { AreaStyles } from '../../components/ui/AreaStyles'
import { releaseChangesFeed, releaseTitle, splitRange } from '../../lib/docs/release'
import { pageHead } from '../../lib/pageHead'
import { paths } from '../../lib/paths'

export const Route = createFileRoute('/$library/changes/$range/')({
  loader: async ({ context: { load, library }, params }) => {
    const range = splitRange(params.range)
    if (!range) throw notFound()
    return { ...range, changes: await load('releases.changes', { library: library.id, ...range }) }
  },
  head: ({ match: { context }, loaderData }) =>
    loaderData
      ? pageHead({
          title: `Changes from ${loaderData.older} to ${releaseTitle(loaderData.newer)} | ${context.library.name}`,
          description: `The docs of ${context.library.name} that differ between ${loaderData.older} and ${releaseTitle(loaderData.newer)}.`,
          origin: context.shell.origin,
          canonical: paths.changes(context.library.id, loaderData.older, loaderData.newer),
          image: paths.card(context.library.id),
          feeds: [releaseChangesFeed(context.library)],
          indexed: false,
        })
      : {},
  component: Changes,
  notFoundComponent: NotFound,
})

function Changes() {
  const { library } = Route.useRouteContext()
  const { older, newer, changes } = Route.useLoaderData()
  return (
    <PageLayout>
      <AreaStyles name="releases" />
      <ChangeList library={library} older={older} newer={newer} changes={changes} />
    </PageLayout>
  )
}
