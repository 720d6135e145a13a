import { createLazyFileRoute } from '@tanstack/react-router'
import { Landing } from '../../../components/landing/Landing'
import { Promo } from '../../../components/promo/Promo'
import { Site } from '../../../components/shell/Site'
import { isLatest } from '../../../lib/version'

export const Route = createLazyFileRoute('/$library/$version/')({ component: LibraryLanding })

function LibraryLanding() {
  const { shell, library, version } = Route.useRouteContext()
  const { page, pack } = Route.useLoaderData()
  return (
    <Site shell={shell} bleed>
      <Landing
        library={library}
        page={page}
        pack={pack}
        version={version.name}
        isLatest={isLatest(library, version.name)}
        family={shell.family}
        frameworks={shell.frameworks}
      >
        <Promo shell={shell} slot="leaderboard" library={library.id} />
      </Landing>
    </Site>
  )
}
