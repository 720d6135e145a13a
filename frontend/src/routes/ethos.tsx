import { createFileRoute } from '@tanstack/react-router'
import { ProsePage } from '../components/prose/ProsePage'
import { PageLayout } from '../components/shell/PageLayout'
import { prosePageHead } from '../lib/pageHead'

export const Route = createFileRoute('/ethos')({
  loader: ({ context }) => context.load('page.read', { name: 'ethos' }),
  head: ({ match: { context }, loaderData }) => prosePageHead(context.shell, 'ethos', loaderData),
  component: Ethos,
})

function Ethos() {
  return (
    <PageLayout>
      <ProsePage page={Route.useLoaderData()} />
    </PageLayout>
  )
}
