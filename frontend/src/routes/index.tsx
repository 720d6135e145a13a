import { createFileRoute } from '@tanstack/react-router'
import { Home } from '../components/home/Home'
import { Promo } from '../components/promo/Promo'
import { Site } from '../components/shell/Site'
import { Styles } from '../components/ui/Styles'
import { homeHead } from '../lib/homeHead'
import { head } from '../lib/meta'

export const Route = createFileRoute('/')({
  loader: async ({ context }) => {
    const [page, sponsors, random] = await Promise.all([
      context.load('home.page', null),
      context.load('sponsors.pack', null),
      context.load('home.random', null),
    ])
    return { page, sponsors, random }
  },
  head: ({ match: { context }, loaderData }) =>
    loaderData ? head(homeHead(context.shell, loaderData.page)) : {},
  component: HomeRoute,
})

function HomeRoute() {
  const { shell } = Route.useRouteContext()
  const { page, sponsors, random } = Route.useLoaderData()
  return (
    <Site shell={shell} bleed>
      <Styles name="home" />
      <Home shell={shell} page={page} sponsors={sponsors} random={random}>
        <Promo shell={shell} slot="leaderboard" />
      </Home>
    </Site>
  )
}
