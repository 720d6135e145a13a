import { createFileRoute, notFound } from '@tanstack/react-router'
import { SignIn } from '../../components/account/SignIn'
import { PageLayout } from '../../components/shell/PageLayout'
import { accountHead } from '../../lib/accountHead'
import { parseSignInSearch, signInMessage } from '../../lib/signIn'

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
