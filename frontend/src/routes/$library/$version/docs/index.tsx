import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '../../../../lib/paths'

export const Route = createFileRoute('/$library/$version/docs/')({
  beforeLoad: ({ context: { library }, params }) => {
    throw redirect({ href: paths.docs(library.id, params.version, library.defaultDocs) })
  },
})
