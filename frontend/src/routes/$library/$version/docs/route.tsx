import { createFileRoute, Outlet, useLocation, useMatches, useParams } from '@tanstack/react-router'
import { OldVersion } from '../../../../components/docs/OldVersion'
import { Sidebar } from '../../../../components/docs/Sidebar'
import { TopBar } from '../../../../components/docs/TopBar'
import { useMenu } from '../../../../components/docs/useMenu'
import { Promo } from '../../../../components/promo/Promo'
import { hue } from '../../../../lib/hue'
import { isOutlined } from '../../../../lib/outline'
import { docsPath } from '../../../../lib/paths'
import { isLatest, LATEST, versionChoices } from '../../../../lib/version'

export const Route = createFileRoute('/$library/$version/docs')({
  loader: ({ context: { load, library, version } }) =>
    load('docs.config', { repo: library.repo, branch: version.branch, docsRoot: library.docsRoot }),
  component: DocsLayout,
})

function DocsLayout() {
  const { shell, library, version } = Route.useRouteContext()
  const config = Route.useLoaderData()
  const { framework: inAddress } = useParams({ strict: false })
  const pathname = useLocation({ select: (location) => location.pathname })
  const path = docsPath(pathname) ?? ''
  const here = useHere()
  const page = here && 'toc' in here ? here : undefined
  const menu = useMenu({
    shell,
    library,
    version: version.name,
    config,
    path,
    inAddress,
    // A page for all frameworks has no others.
    alternatives: inAddress && here && 'frameworks' in here ? here.frameworks : undefined,
  })
  const versions = versionChoices({ library, version: version.name, pathname, alternatives: here?.versions })
  return (
    <div className="docs" style={hue(library)} data-outlined={page && isOutlined(page) ? '' : undefined}>
      <TopBar family={shell.family} library={library} version={version.name} />
      <Sidebar
        shell={shell}
        library={library}
        version={version.name}
        sections={menu.sections}
        path={path}
        frameworks={menu.frameworks}
        versions={versions}
      />
      {isLatest(library, version.name) ? null : (
        <OldVersion version={version.name} latest={versions.find((choice) => choice.key === LATEST)} />
      )}
      <Outlet />
      {page ? (
        <>
          <Promo shell={shell} slot="footer" library={library.id} />
          <div className="promo-rails">
            <Promo shell={shell} slot="right-rail" library={library.id} />
            <Promo shell={shell} slot="left-rail" library={library.id} />
          </div>
        </>
      ) : null}
    </div>
  )
}

/** The page, example or list that is shown inside, if it is one of those that know where they are in other versions. */
function useHere() {
  return useMatches({
    select: (matches) =>
      matches.map(({ loaderData }) => loaderData).findLast((data) => data !== undefined && data !== null && 'versions' in data),
  })
}
