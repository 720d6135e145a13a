// Pages that a site without accounts does not have.
import { notFound } from '@tanstack/react-router'
import type { Shell } from '../../api/generated'

export function requireAccounts(shell: Shell): void {
  if (!shell.features.accounts) throw notFound()
}
