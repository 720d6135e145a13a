import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '../../../../lib/paths'

export const Route = createFileRoute('/$library/$version/docs/')({
  beforeLoad: async ({ context: { load, library, version } }) => {
    const home = version.defaultDocs || (await load('docs.home', { library: library.id, version: version.name }))
    throw redirect({ href: paths.docs(library.id, version.name, home) })
  },
})
