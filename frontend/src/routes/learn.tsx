import { createFileRoute } from '@tanstack/react-router'
import { ProsePage } from '../components/prose/ProsePage'
import { PageLayout } from '../components/shell/PageLayout'
import { prosePageHead } from '../lib/pageHead'

export const Route = createFileRoute('/learn')({
  loader: ({ context }) => context.load('page.read', { name: 'learn' }),
  head: ({ match: { context }, loaderData }) => prosePageHead(context.shell, 'learn', loaderData),
  component: Learn,
})

function Learn() {
  return (
    <PageLayout>
      <ProsePage page={Route.useLoaderData()} />
    </PageLayout>
  )
}
