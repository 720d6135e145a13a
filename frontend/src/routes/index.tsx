import { createFileRoute } from '@tanstack/react-router'
import type { Load } from '../api/call'
import type { LibraryCard } from '../api/generated'
import { Home } from '../components/home/Home'
import { Landing } from '../components/landing/Landing'
import { PageLayout } from '../components/shell/PageLayout'
import { AreaStyles } from '../components/ui/AreaStyles'
import { homeHead } from '../lib/home/homeHead'
import { loadLanding } from '../lib/loadLanding'
import { pageHead } from '../lib/pageHead'
import { onlyLibrary } from '../lib/onlyLibrary'
import { LATEST } from '../lib/docs/version'

export const Route = createFileRoute('/')({
  loader: async ({ context: { load, shell } }) => {
    const library = onlyLibrary(shell)
    return library ? await loadOnlyLanding(load, library) : await loadHome(load)
  },
  head: ({ match: { context }, loaderData }) =>
    loaderData ? pageHead(homeHead(context.shell, 'keywords' in loaderData ? loaderData.keywords : loaderData.home.keywords)) : {},
  component: HomeRoute,
})

async function loadHome(load: Load) {
  const [home, figures, random] = await Promise.all([
    load('home.page', null),
    load('figures.family', null),
    load('home.random', null),
  ])
  return { home, figures, random }
}

/** The home page of a family of one library is the landing page of that library. */
async function loadOnlyLanding(load: Load, library: LibraryCard) {
  const [landing, { keywords }] = await Promise.all([loadLanding(load, library.id, library.latestVersion), load('home.page', null)])
  return { ...landing, library, keywords }
}

function HomeRoute() {
  const data = Route.useLoaderData()
  if ('library' in data) {
    return (
      <PageLayout fullWidth>
        <Landing {...data} version={LATEST} isLatest />
      </PageLayout>
    )
  }
  const { home, figures, random } = data
  return (
    <PageLayout fullWidth>
      <AreaStyles name="home" />
      <Home page={home} figures={figures} random={random} />
    </PageLayout>
  )
}
