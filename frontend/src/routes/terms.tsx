import { createFileRoute } from '@tanstack/react-router'
import { Written } from '../components/plain/Written'
import { Site } from '../components/shell/Site'
import { writtenHead } from '../lib/meta'

export const Route = createFileRoute('/terms')({
  loader: ({ context }) => context.load('page.read', { name: 'terms' }),
  head: ({ match: { context }, loaderData }) => writtenHead(context.shell, 'terms', loaderData),
  component: Terms,
})

function Terms() {
  const { shell } = Route.useRouteContext()
  return (
    <Site shell={shell}>
      <Written page={Route.useLoaderData()} />
    </Site>
  )
}
