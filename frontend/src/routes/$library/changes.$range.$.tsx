import { createFileRoute, notFound } from '@tanstack/react-router'
import { PageDifference } from '../../components/docs/PageDifference'
import { NotFound } from '../../components/shell/NotFound'
import { PageLayout } from '../../components/shell/PageLayout'
import { AreaStyles } from '../../components/ui/AreaStyles'
import { releaseTitle, splitRange } from '../../lib/docs/release'
import { pageHead } from '../../lib/pageHead'
import { paths } from '../../lib/paths'

export const Route = createFileRoute('/$library/changes/$range/$')({
  loader: async ({ context: { load, library }, params }) => {
    const range = splitRange(params.range)
    if (!range || !params._splat) throw notFound()
    const request = { library: library.id, ...range, path: params._splat }
    return { ...range, path: params._splat, difference: await load('releases.difference', request) }
  },
  head: ({ match: { context }, loaderData }) =>
    loaderData
      ? pageHead({
          title: `${loaderData.difference.title}: changes from ${loaderData.older} to ${releaseTitle(loaderData.newer)} | ${context.library.name}`,
          description: `What changed on the page ${loaderData.difference.title} of ${context.library.name} between ${loaderData.older} and ${releaseTitle(loaderData.newer)}.`,
          origin: context.shell.origin,
          canonical: paths.difference(context.library.id, loaderData.older, loaderData.newer, loaderData.path),
          image: paths.card(context.library.id),
          indexed: false,
        })
      : {},
  component: Difference,
  notFoundComponent: NotFound,
})

function Difference() {
  const { library } = Route.useRouteContext()
  const { older, newer, difference } = Route.useLoaderData()
  return (
    <PageLayout>
      <AreaStyles name="difference" />
      {difference.extraStyles ? <AreaStyles name="extensions" /> : null}
      <PageDifference library={library} older={older} newer={newer} difference={difference} />
    </PageLayout>
  )
}
