import { createFileRoute, notFound } from '@tanstack/react-router'
import { pageNotFound } from '../../lib/loadPage'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/version'

export const Route = createFileRoute('/$library')({
  beforeLoad: async ({ context: { load, shell }, params, location }) => {
    const library = shell.libraries.find((candidate) => candidate.id === params.library)
    if (library) return { library }
    const nearest = await load('catalog.nearest', { word: params.library }).catch(() => [])
    // Any word is an address of one segment: it names a library only if one is similar.
    const isLibrary = nearest.length > 0 || location.pathname.split('/').filter(Boolean).length > 1
    if (!isLibrary) throw notFound()
    const message = `Library with id "${params.library}" not found`
    if (nearest.length > 0) throw pageNotFound({ message, nearest })
    const all = shell.libraries.map(({ id, name }) => ({ title: name, to: paths.version(id, LATEST) }))
    throw pageNotFound({ message, nearest: all, heading: 'All libraries' })
  },
})
