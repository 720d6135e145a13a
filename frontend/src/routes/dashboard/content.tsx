import { createFileRoute } from '@tanstack/react-router'
import { accountHead } from '../../lib/accountHead'

export const Route = createFileRoute('/dashboard/content')({
  head: ({ match: { context } }) => accountHead(context.shell, 'Content'),
})
