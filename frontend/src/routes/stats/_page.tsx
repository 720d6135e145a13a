import { createFileRoute } from '@tanstack/react-router'

/** Loads what all comparisons share, once. */
export const Route = createFileRoute('/stats/_page')({
  loader: ({ context }) => context.load('npm.choices', null),
})
