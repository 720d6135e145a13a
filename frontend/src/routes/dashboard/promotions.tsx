import { createFileRoute } from '@tanstack/react-router'
import { accountHead } from '../../lib/accountHead'

export const Route = createFileRoute('/dashboard/promotions')({
  head: ({ match: { context } }) => accountHead(context.shell, 'Promotions'),
})
