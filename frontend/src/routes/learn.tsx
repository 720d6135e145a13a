import { createFileRoute } from '@tanstack/react-router'
import { Written } from '../components/plain/Written'
import { Site } from '../components/shell/Site'
import { writtenHead } from '../lib/meta'

export const Route = createFileRoute('/learn')({
  loader: ({ context }) => context.load('page.read', { name: 'learn' }),
  head: ({ match: { context }, loaderData }) => writtenHead(context.shell, 'learn', loaderData),
  component: Learn,
})

function Learn() {
  const { shell } = Route.useRouteContext()
  return (
    <Site shell={shell}>
      <Written page={Route.useLoaderData()} />
    </Site>
  )
}
