import { createFileRoute } from '@tanstack/react-router'
import { Consultants } from '../components/prose/Consultants'
import { ProsePage } from '../components/prose/ProsePage'
import { PageLayout } from '../components/shell/PageLayout'
import { prosePageHead } from '../lib/pageHead'

export const Route = createFileRoute('/dedicated-support')({
  loader: async ({ context: { load } }) => {
    const [page, consultants] = await Promise.all([
      load('page.read', { name: 'dedicated-support' }),
      load('consultants.list', null),
    ])
    return { page, consultants }
  },
  head: ({ match: { context }, loaderData }) => prosePageHead(context.shell, 'dedicated-support', loaderData?.page),
  component: DedicatedSupport,
})

function DedicatedSupport() {
  const { page, consultants } = Route.useLoaderData()
  return (
    <PageLayout>
      <ProsePage page={page}>
        <Consultants consultants={consultants} />
      </ProsePage>
    </PageLayout>
  )
}
