import { createFileRoute, notFound } from '@tanstack/react-router'

/** All other paths below a version. */
export const Route = createFileRoute('/$library/$version/$')({
  beforeLoad: () => {
    throw notFound()
  },
})
