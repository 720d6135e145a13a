import { createFileRoute, notFound } from '@tanstack/react-router'
import { SignIn } from '../../components/accounts/SignIn'
import { PageLayout } from '../../components/shell/PageLayout'
import { accountHead } from '../../lib/accounts/accountHead'
import { parseSignInSearch, signInMessage } from '../../lib/accounts/signIn'

export const Route = createFileRoute('/login/')({
  validateSearch: parseSignInSearch,
  loader: ({ context: { load, shell } }) => {
    if (!shell.features.signIn) throw notFound()
    return load('account.options', null)
  },
  head: ({ match: { context } }) => accountHead(context.shell, 'Sign in'),
  component: Login,
})

function Login() {
  const { error, next } = Route.useSearch()
  return (
    <PageLayout>
      <SignIn options={Route.useLoaderData()} message={signInMessage(error)} next={next} />
    </PageLayout>
  )
}
