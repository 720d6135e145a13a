import { createFileRoute } from '@tanstack/react-router'
import { AreaStyles } from '../components/ui/AreaStyles'
import { PageLayout } from '../components/shell/PageLayout'
import { Link } from '../components/ui/Link'
import { accountHead } from '../lib/accounts/accountHead'
import { paths } from '../lib/paths'
import { requireAccounts } from '../lib/accounts/requireAccounts'

/** By the codes of errors of the server. */
const MESSAGES: Record<string, string> = {
  invalid: 'Your answer was empty, too long, or about a page that is generated.',
  not_found: 'The page that you wrote about does not exist any more.',
  refused: 'We have received too many answers today. Thank you! Please try again tomorrow.',
}

/** What a reader without scripts sees after the form below a docs page. */
export const Route = createFileRoute('/feedback')({
  validateSearch: ({ error }: Record<string, unknown>) => ({ error: typeof error === 'string' && error ? error : undefined }),
  loader: ({ context }) => requireAccounts(context.shell),
  head: ({ match: { context } }) => accountHead(context.shell, 'Feedback'),
  component: Feedback,
})

function Feedback() {
  const { error } = Route.useSearch()
  return (
    <PageLayout>
      <div className="message-page">
        <AreaStyles name="message-page" />
        <h1>{error ? 'Your answer was not stored' : 'Thank you'}</h1>
        <p>
          {error
            ? (MESSAGES[error] ?? 'Something went wrong on our side. Go back, and try again.')
            : 'The maintainers read every note. Go back to continue reading.'}
        </p>
        <p>
          <Link to={paths.home()}>All libraries</Link>
        </p>
      </div>
    </PageLayout>
  )
}
