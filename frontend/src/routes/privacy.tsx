import { createFileRoute } from '@tanstack/react-router'
import { Written } from '../components/plain/Written'
import { OutsideChoice } from '../components/promo/Outside'
import { Site } from '../components/shell/Site'
import { writtenHead } from '../lib/meta'

export const Route = createFileRoute('/privacy')({
  loader: ({ context }) => context.load('page.read', { name: 'privacy' }),
  head: ({ match: { context }, loaderData }) => writtenHead(context.shell, 'privacy', loaderData),
  component: Privacy,
})

function Privacy() {
  const { shell } = Route.useRouteContext()
  return (
    <Site shell={shell}>
      <Written page={Route.useLoaderData()} after={<OutsideChoice shell={shell} />} />
    </Site>
  )
}
