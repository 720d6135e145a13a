import { createFileRoute } from '@tanstack/react-router'
import type { LibraryCard, LibraryPage, Shell } from '../../../api/generated'
import { libraryFeed } from '../../../lib/docs/docsHead'
import { loadLanding } from '../../../lib/loadLanding'
import { onlyLibrary } from '../../../lib/onlyLibrary'
import { pageHead } from '../../../lib/pageHead'
import { paths } from '../../../lib/paths'
import type { Version } from '../../../lib/docs/version'
import { isLatest, LATEST, versionedName } from '../../../lib/docs/version'

export const Route = createFileRoute('/$library/$version/')({
  loader: ({ context: { load, library, version } }) => loadLanding(load, library.id, version.name),
  head: ({ match: { context }, loaderData }) =>
    loaderData
      ? pageHead({
          title: `${versionedName(context.library, context.version)} | ${context.library.tagline}`,
          description: loaderData.page.description,
          origin: context.shell.origin,
          canonical: canonicalPath(context, loaderData.page),
          version: context.version,
          image: loaderData.page.ogImage ?? paths.card(context.library.id),
          feeds: [libraryFeed(context.library)],
        })
      : {},
})

/** The page of the latest version of the only library is the home page, too. */
function canonicalPath({ shell, library, version }: { shell: Shell; library: LibraryCard; version: Version }, page: LibraryPage) {
  // Without figures, the page is about the latest version.
  if (!isLatest(library, version.name) && page.figures) return paths.version(library.id, version.name)
  return onlyLibrary(shell) ? paths.home() : paths.version(library.id, LATEST)
}
