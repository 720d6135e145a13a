import { createFileRoute } from '@tanstack/react-router'
import { SupportOptions } from '../components/prose/SupportOptions'
import { LibraryLinks } from '../components/prose/LibraryLinks'
import { ProsePage } from '../components/prose/ProsePage'
import { PageLayout } from '../components/shell/PageLayout'
import { prosePageHead } from '../lib/pageHead'

export const Route = createFileRoute('/support')({
  loader: ({ context }) => context.load('page.read', { name: 'support' }),
  head: ({ match: { context }, loaderData }) => prosePageHead(context.shell, 'support', loaderData),
  component: Support,
})

function Support() {
  return (
    <PageLayout>
      <ProsePage page={Route.useLoaderData()} after={<LibraryLinks />}>
        <SupportOptions />
      </ProsePage>
    </PageLayout>
  )
}
