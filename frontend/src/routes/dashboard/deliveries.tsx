import { createFileRoute } from '@tanstack/react-router'
import { accountHead } from '../../lib/accounts/accountHead'
import { requireAccounts } from '../../lib/accounts/requireAccounts'

export const Route = createFileRoute('/dashboard/deliveries')({
  loader: ({ context }) => requireAccounts(context.shell),
  head: ({ match: { context } }) => accountHead(context.shell, 'Webhook deliveries'),
})
