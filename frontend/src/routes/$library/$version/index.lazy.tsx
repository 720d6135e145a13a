import { createLazyFileRoute, getRouteApi } from '@tanstack/react-router'
import { Landing } from '../../../components/landing/Landing'
import { ArrivalNotice } from '../../../components/shell/ArrivalNotice'
import { Promo } from '../../../components/promo/Promo'
import { PageLayout } from '../../../components/shell/PageLayout'
import { isLatest } from '../../../lib/docs/version'

const versionRoute = getRouteApi('/$library/$version')

export const Route = createLazyFileRoute('/$library/$version/')({ component: LibraryLanding })

function LibraryLanding() {
  const { library, version } = Route.useRouteContext()
  const { page, figures, pack } = Route.useLoaderData()
  return (
    <PageLayout fullWidth notice={<ArrivalNotice arrival={versionRoute.useLoaderData()} />}>
      <Landing
        library={library}
        page={page}
        figures={figures}
        pack={pack}
        version={version.name}
        isLatest={isLatest(library, version.name)}
      >
        <Promo slot="leaderboard" library={library.id} />
      </Landing>
    </PageLayout>
  )
}
