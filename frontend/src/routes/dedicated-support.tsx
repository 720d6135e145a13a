import { createFileRoute } from '@tanstack/react-router'
import { Consultants } from '../components/plain/Consultants'
import { Written } from '../components/plain/Written'
import { Site } from '../components/shell/Site'
import { writtenHead } from '../lib/meta'

export const Route = createFileRoute('/dedicated-support')({
  loader: async ({ context: { load } }) => {
    const [page, consultants] = await Promise.all([
      load('page.read', { name: 'dedicated-support' }),
      load('consultants.list', null),
    ])
    return { page, consultants }
  },
  head: ({ match: { context }, loaderData }) => writtenHead(context.shell, 'dedicated-support', loaderData?.page),
  component: DedicatedSupport,
})

function DedicatedSupport() {
  const { shell } = Route.useRouteContext()
  const { page, consultants } = Route.useLoaderData()
  return (
    <Site shell={shell}>
      <Written page={page}>
        <Consultants consultants={consultants} />
      </Written>
    </Site>
  )
}
