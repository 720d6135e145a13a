import { createFileRoute, notFound } from '@tanstack/react-router'
import { PageLayout } from '../../components/shell/PageLayout'
import { ReleaseList } from '../../components/docs/ReleaseList'
import { AreaStyles } from '../../components/ui/AreaStyles'
import { releaseChangesFeed, releasesFeed } from '../../lib/docs/release'
import { pageHead } from '../../lib/pageHead'
import { paths } from '../../lib/paths'

export const Route = createFileRoute('/$library/releases/')({
  // The server redirects to a release that exists. The router would read 5.10 as the number 5.1, so no page shows it.
  validateSearch: ({ release, older, newer }: Record<string, unknown>) => ({
    ...(release === undefined ? {} : { release }),
    ...(older === undefined ? {} : { older }),
    ...(newer === undefined ? {} : { newer }),
  }),
  loader: async ({ context: { load, library } }) => {
    const { newest, majors, hasNotes } = await load('releases.list', { library: library.id })
    if (newest === null) throw notFound()
    return { newest, majors, hasNotes }
  },
  head: ({ match: { context }, loaderData }) =>
    pageHead({
      title: `Releases of ${context.library.name} | ${context.shell.family}`,
      description: `Every release of ${context.library.name}, with the docs as they were then.`,
      origin: context.shell.origin,
      canonical: paths.releases(context.library.id),
      image: paths.card(context.library.id),
      feeds: [...(loaderData?.hasNotes ? [releasesFeed(context.library)] : []), releaseChangesFeed(context.library)],
    }),
  component: Releases,
})

function Releases() {
  const { library } = Route.useRouteContext()
  const { newest, majors, hasNotes } = Route.useLoaderData()
  const missing = Object.keys(Route.useSearch()).length > 0
  return (
    <PageLayout>
      <AreaStyles name="releases" />
      <ReleaseList library={library} newest={newest} majors={majors} hasNotes={hasNotes} missing={missing} />
    </PageLayout>
  )
}
