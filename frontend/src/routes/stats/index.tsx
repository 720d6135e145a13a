import { createFileRoute, redirect } from '@tanstack/react-router'
import { paths } from '../../lib/paths'

export const Route = createFileRoute('/stats/')({
  beforeLoad: () => {
    throw redirect({ href: paths.statistics(), statusCode: 301 })
  },
})
