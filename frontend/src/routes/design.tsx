import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/design')({
  loader: ({ context: { load } }) => load('search.config', null),
  // For developers of the site.
  head: ({ match: { context } }) => ({
    meta: [{ title: `Design | ${context.shell.family}` }, { name: 'robots', content: 'noindex' }],
  }),
})
