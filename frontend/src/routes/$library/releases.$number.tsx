import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '../../components/shell/NotFound'
import { PageLayout } from '../../components/shell/PageLayout'
import { SiteLayout } from '../../components/shell/SiteLayout'
import { ReleaseArticle } from '../../components/docs/ReleaseArticle'
import { AreaStyles } from '../../components/ui/AreaStyles'
import { LinkButton } from '../../components/ui/Button'
import { releaseName, releasesFeed } from '../../lib/docs/release'
import { pageHead } from '../../lib/pageHead'
import { paths } from '../../lib/paths'

export const Route = createFileRoute('/$library/releases/$number')({
  loader: async ({ context: { load, library }, params: { number } }) => ({
    release: await load('releases.page', { library: library.id, number }),
  }),
  head: ({ match: { context }, loaderData }) => {
    if (!loaderData) return {}
    const { library, shell } = context
    const { number, day, notes } = loaderData.release
    const name = releaseName(library, loaderData.release, shell.frameworks)
    return pageHead({
      title: `${name} release notes | ${shell.family}`,
      description: notes ? `What changed in ${name}: ${notes.summary}.` : `What changed in the docs of ${name}.`,
      origin: shell.origin,
      canonical: paths.release(library.id, number),
      image: paths.card(library.id),
      feeds: [releasesFeed(library)],
      type: 'article',
      published: day,
      indexed: notes !== null,
    })
  },
  component: Release,
  notFoundComponent: ReleaseNotFound,
})

function Release() {
  const { library } = Route.useRouteContext()
  const { release } = Route.useLoaderData()
  return (
    <PageLayout>
      <AreaStyles name="releases" />
      {release.notes?.extraStyles ? <AreaStyles name="extensions" /> : null}
      <ReleaseArticle library={library} release={release} />
    </PageLayout>
  )
}

function ReleaseNotFound() {
  const { library } = Route.useRouteContext()
  return (
    <SiteLayout>
      <NotFound message={`${library.name} has no such release with docs.`}>
        <LinkButton to={paths.releases(library.id)} variant="primary">
          {`Releases of ${library.name}`}
        </LinkButton>
      </NotFound>
    </SiteLayout>
  )
}
