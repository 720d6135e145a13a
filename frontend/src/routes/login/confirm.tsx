import { createFileRoute } from '@tanstack/react-router'
import { ConfirmSignIn } from '../../components/accounts/SignIn'
import { PageLayout } from '../../components/shell/PageLayout'
import { accountHead } from '../../lib/accounts/accountHead'
import { requireAccounts } from '../../lib/accounts/requireAccounts'
import { parseSignInSearch, signInMessage } from '../../lib/accounts/signIn'

/** The page that the link of a mail leads to. Its address has no token: a cookie has it. */
export const Route = createFileRoute('/login/confirm')({
  validateSearch: parseSignInSearch,
  loader: ({ context }) => requireAccounts(context.shell),
  head: ({ match: { context } }) => accountHead(context.shell, 'Sign in'),
  component: Confirm,
})

function Confirm() {
  return (
    <PageLayout>
      <ConfirmSignIn message={signInMessage(Route.useSearch().error)} />
    </PageLayout>
  )
}
