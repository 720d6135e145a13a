import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/docs/version'

export const Route = createFileRoute('/$library/')({
  beforeLoad: ({ params }) => {
    throw redirect({ href: paths.version(params.library, LATEST) })
  },
})
