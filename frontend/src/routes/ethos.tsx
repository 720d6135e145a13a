import { createFileRoute } from '@tanstack/react-router'
import { Written } from '../components/plain/Written'
import { Site } from '../components/shell/Site'
import { writtenHead } from '../lib/meta'

export const Route = createFileRoute('/ethos')({
  loader: ({ context }) => context.load('page.read', { name: 'ethos' }),
  head: ({ match: { context }, loaderData }) => writtenHead(context.shell, 'ethos', loaderData),
  component: Ethos,
})

function Ethos() {
  const { shell } = Route.useRouteContext()
  return (
    <Site shell={shell}>
      <Written page={Route.useLoaderData()} />
    </Site>
  )
}
