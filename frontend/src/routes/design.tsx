import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/design')({
  // For those who build the site: nothing a search should lead to.
  head: ({ match: { context } }) => ({
    meta: [{ title: `Design | ${context.shell.family}` }, { name: 'robots', content: 'noindex' }],
  }),
})
