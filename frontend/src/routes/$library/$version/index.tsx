import { createFileRoute } from '@tanstack/react-router'
import { libraryFeed } from '../../../lib/docsHead'
import { pageHead } from '../../../lib/pageHead'
import { paths } from '../../../lib/paths'
import { isLatest, LATEST, versionedName } from '../../../lib/version'

export const Route = createFileRoute('/$library/$version/')({
  loader: async ({ context: { load, library, version } }) => {
    const [page, figures, pack] = await Promise.all([
      load('catalog.library', { id: library.id, version: version.name }),
      load('figures.library', { id: library.id }),
      load('sponsors.pack', null),
    ])
    return { page, figures, pack }
  },
  head: ({ match: { context }, loaderData }) =>
    loaderData
      ? pageHead({
          title: `${versionedName(context.library, context.version)} | ${context.library.tagline}`,
          description: loaderData.page.description,
          origin: context.shell.origin,
          // Without figures, the page is about the latest version.
          canonical: paths.version(context.library.id, isLatest(context.library, context.version.name) || !loaderData.page.figures ? LATEST : context.version.name),
          image: loaderData.page.ogImage ?? paths.card(context.library.id),
          feeds: [libraryFeed(context.library)],
        })
      : {},
})
