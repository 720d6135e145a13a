import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '../../../../lib/paths'

export const Route = createFileRoute('/$library/$version/docs/')({
  beforeLoad: async ({ context: { load, library }, params: { version } }) => {
    const home = library.defaultDocs || (await load('docs.home', { library: library.id, version }))
    throw redirect({ href: paths.docs(library.id, version, home) })
  },
})
