import { createFileRoute } from '@tanstack/react-router'
import { Doors } from '../components/plain/Doors'
import { Places } from '../components/plain/Places'
import { Written } from '../components/plain/Written'
import { Site } from '../components/shell/Site'
import { writtenHead } from '../lib/meta'

export const Route = createFileRoute('/support')({
  loader: ({ context }) => context.load('page.read', { name: 'support' }),
  head: ({ match: { context }, loaderData }) => writtenHead(context.shell, 'support', loaderData),
  component: Support,
})

function Support() {
  const { shell } = Route.useRouteContext()
  return (
    <Site shell={shell}>
      <Written page={Route.useLoaderData()} after={<Places shell={shell} />}>
        <Doors shell={shell} />
      </Written>
    </Site>
  )
}
