import { createFileRoute, isNotFound, notFound } from '@tanstack/react-router'
import type { Load } from '../api/call'
import type { Shell } from '../api/generated'
import { ProsePage } from '../components/pages/ProsePage'
import { PageLayout } from '../components/shell/PageLayout'
import { pageNotFound } from '../lib/loadPage'
import { prosePageHead } from '../lib/pageHead'
import { paths } from '../lib/paths'
import { LATEST } from '../lib/docs/version'

/** The pages of the site itself: every address outside of libraries that no other route has. */
export const Route = createFileRoute('/$')({
  loader: async ({ context: { load, shell }, params: { _splat: name = '' } }) => {
    try {
      return await load('page.read', { name })
    } catch (error) {
      throw isNotFound(error) ? await missingPage(load, shell, name) : error
    }
  },
  head: ({ match: { context }, params: { _splat: name = '' }, loaderData }) => prosePageHead(context.shell, name, loaderData),
  component: SitePage,
})

function SitePage() {
  return (
    <PageLayout>
      <ProsePage page={Route.useLoaderData()} />
    </PageLayout>
  )
}

/** A `notFound()` with libraries of similar names: the address may be that of a library with an error in its id. */
async function missingPage(load: Load, shell: Shell, name: string) {
  const segments = name.split('/').filter(Boolean)
  const [word = ''] = segments
  const above = segments.length > 1 ? await load('page.read', { name: word }).catch(() => null) : null
  if (above) return pageNotFound({ message: '', nearest: [{ title: above.title, to: paths.page(word) }] })
  const nearest = await load('catalog.nearest', { word }).catch(() => [])
  // Any word is an address of one segment: it names a library only if one is similar.
  if (nearest.length === 0 && segments.length < 2) return notFound()
  const message = `Library with id "${word}" not found`
  if (nearest.length > 0) return pageNotFound({ message, nearest })
  const all = shell.libraries.map((library) => ({ title: library.name, to: paths.version(library.id, LATEST) }))
  return pageNotFound({ message, nearest: all, heading: 'All libraries' })
}
