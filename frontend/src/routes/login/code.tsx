import { createFileRoute } from '@tanstack/react-router'
import { EnterCode } from '../../components/accounts/SignIn'
import { PageLayout } from '../../components/shell/PageLayout'
import { accountHead } from '../../lib/accounts/accountHead'
import { requireAccounts } from '../../lib/accounts/requireAccounts'
import { parseSignInSearch, signInMessage } from '../../lib/accounts/signIn'

export const Route = createFileRoute('/login/code')({
  validateSearch: parseSignInSearch,
  loader: ({ context: { load, shell } }) => {
    requireAccounts(shell)
    return load('account.options', null)
  },
  head: ({ match: { context } }) => accountHead(context.shell, 'Enter your code'),
  component: Code,
})

function Code() {
  return (
    <PageLayout>
      <EnterCode options={Route.useLoaderData()} message={signInMessage(Route.useSearch().error)} />
    </PageLayout>
  )
}
