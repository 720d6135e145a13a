import { createFileRoute, notFound } from '@tanstack/react-router'

/** Loads what all comparisons share, once. */
export const Route = createFileRoute('/stats/_page')({
  beforeLoad: ({ context: { shell } }) => {
    if (!shell.features.statistics) throw notFound()
  },
  loader: ({ context }) => context.load('npm.choices', null),
})
