import { createFileRoute, notFound } from '@tanstack/react-router'
import { isLibrary } from '../../router/libraryIds'

export const Route = createFileRoute('/$library')({
  // `false`: the address is that of a page of the site itself.
  params: { parse: (params) => (isLibrary(params.library) ? params : false) },
  beforeLoad: ({ context: { shell }, params }) => {
    const library = shell.libraries.find((candidate) => candidate.id === params.library)
    if (!library) throw notFound()
    return { library }
  },
})
