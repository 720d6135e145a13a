import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/design')({
  // For developers of the site.
  head: ({ match: { context } }) => ({
    meta: [{ title: `Design | ${context.shell.family}` }, { name: 'robots', content: 'noindex' }],
  }),
})
