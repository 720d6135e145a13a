import { createFileRoute } from '@tanstack/react-router'
import { ProsePage } from '../components/prose/ProsePage'
import { ThirdPartySetting } from '../components/promo/ThirdPartyScript'
import { PageLayout } from '../components/shell/PageLayout'
import { prosePageHead } from '../lib/pageHead'

export const Route = createFileRoute('/privacy')({
  loader: ({ context }) => context.load('page.read', { name: 'privacy' }),
  head: ({ match: { context }, loaderData }) => prosePageHead(context.shell, 'privacy', loaderData),
  component: Privacy,
})

function Privacy() {
  return (
    <PageLayout>
      <ProsePage page={Route.useLoaderData()} after={<ThirdPartySetting />} />
    </PageLayout>
  )
}
