import { createFileRoute } from '@tanstack/react-router'
import { ProsePage } from '../components/prose/ProsePage'
import { PageLayout } from '../components/shell/PageLayout'
import { prosePageHead } from '../lib/pageHead'

export const Route = createFileRoute('/terms')({
  loader: ({ context }) => context.load('page.read', { name: 'terms' }),
  head: ({ match: { context }, loaderData }) => prosePageHead(context.shell, 'terms', loaderData),
  component: Terms,
})

function Terms() {
  return (
    <PageLayout>
      <ProsePage page={Route.useLoaderData()} />
    </PageLayout>
  )
}
