import { createFileRoute } from '@tanstack/react-router'
import { Home } from '../components/home/Home'
import { PageLayout } from '../components/shell/PageLayout'
import { AreaStyles } from '../components/ui/AreaStyles'
import { homeHead } from '../lib/homeHead'
import { pageHead } from '../lib/pageHead'

export const Route = createFileRoute('/')({
  loader: async ({ context }) => {
    const [page, figures, random] = await Promise.all([
      context.load('home.page', null),
      context.load('figures.family', null),
      context.load('home.random', null),
    ])
    return { page, figures, random }
  },
  head: ({ match: { context }, loaderData }) =>
    loaderData ? pageHead(homeHead(context.shell, loaderData.page)) : {},
  component: HomeRoute,
})

function HomeRoute() {
  const { page, figures, random } = Route.useLoaderData()
  return (
    <PageLayout fullWidth>
      <AreaStyles name="home" />
      <Home page={page} figures={figures} random={random} />
    </PageLayout>
  )
}
