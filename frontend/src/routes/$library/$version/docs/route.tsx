import { createFileRoute, getRouteApi, isNotFound, Outlet, useLocation, useMatches, useParams } from '@tanstack/react-router'
import { PreviewNotice } from '../../../../components/docs/PreviewNotice'
import { PinnedNotice } from '../../../../components/docs/PinnedNotice'
import { VersionNotice } from '../../../../components/docs/VersionNotice'
import { DocsSidebar } from '../../../../components/docs/DocsSidebar'
import { DocsTopBar } from '../../../../components/docs/DocsTopBar'
import { useDocsMenu } from '../../../../components/docs/useDocsMenu'
import { ArrivalNotice } from '../../../../components/shell/ArrivalNotice'
import { useShell } from '../../../../components/ui/useShell'
import { Promo } from '../../../../components/promo/Promo'
import { libraryFace } from '../../../../lib/colors'
import type { MenuChoice } from '../../../../lib/menuChoice'
import { findFramework } from '../../../../lib/docs/framework'
import { missingPageVersions } from '../../../../lib/loadPage'
import { hasTableOfContents } from '../../../../lib/docs/tableOfContents'
import { docsPath } from '../../../../lib/paths'
import { LATEST, listVersionChoices, versionNotice } from '../../../../lib/docs/version'

const versionRoute = getRouteApi('/$library/$version')

export const Route = createFileRoute('/$library/$version/docs')({
  loader: ({ context: { load, library, version } }) =>
    load('docs.config', { repo: library.repo, branch: version.branch, docsRoot: version.docsRoot }),
  component: DocsLayout,
})

function DocsLayout() {
  const { library, version } = Route.useRouteContext()
  const config = Route.useLoaderData()
  const { framework: inAddress } = useParams({ strict: false })
  const pathname = useLocation({ select: (location) => location.pathname })
  const path = docsPath(pathname) ?? ''
  const here = useHere()
  const missing = useMissing()
  const page = here && 'toc' in here ? here : undefined
  const menu = useDocsMenu({
    library,
    version: version.name,
    config,
    path,
    inAddress,
    // A page outside `framework/` has no alternatives.
    alternatives: inAddress && here && 'frameworks' in here ? here.frameworks : undefined,
  })
  const versions = listVersionChoices({ library, version: version.name, pathname, alternatives: missing ? missingPageVersions(missing, library) : here?.versions })
  return (
    <div className="docs patterned" style={libraryFace(library)} data-outlined={page && hasTableOfContents(page) ? '' : undefined}>
      <DocsTopBar library={library} version={version.name} />
      <DocsSidebar
        library={library}
        version={version.name}
        sections={menu.sections}
        path={path}
        frameworks={menu.frameworks}
        versions={versions}
        release={config.release}
      />
      <DocsNotices versions={versions} />
      <Outlet />
      {page ? (
        <>
          <Promo slot="footer" library={library.id} />
          <div className="promo-rails">
            <Promo slot="right-rail" library={library.id} />
            <Promo slot="left-rail" library={library.id} />
          </div>
        </>
      ) : null}
    </div>
  )
}

function DocsNotices({ versions }: { versions: readonly MenuChoice[] }) {
  const { library, version } = Route.useRouteContext()
  const { features, frameworks } = useShell()
  const { framework } = useParams({ strict: false })
  const shown = framework === undefined ? undefined : findFramework(frameworks, framework)
  return (
    <div className="docs-notices">
      <ArrivalNotice arrival={versionRoute.useLoaderData()} />
      {version.release?.preview ? <PreviewNotice library={library} preview={version.release.preview} /> : null}
      <VersionNotice notice={versionNotice(library, version, shown)} latest={versions.find((choice) => choice.key === LATEST)} />
      {features.upgrades && !version.release?.preview ? <PinnedNotice library={library} /> : null}
    </div>
  )
}

/** The error of the page if it does not exist. */
function useMissing() {
  return useMatches({ select: (matches) => matches.find(({ status, error }) => status === 'notFound' || isNotFound(error))?.error })
}

/** The loader data of the innermost page that has alternatives in other versions. */
function useHere() {
  return useMatches({
    select: (matches) =>
      matches.map(({ loaderData }) => loaderData).findLast((data) => data !== undefined && data !== null && 'versions' in data),
  })
}
