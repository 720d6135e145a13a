// Previews of pull requests.
import type { ListedChange, PreviewFacts, PreviewFinding } from '../../api/generated'

const STATES: Record<PreviewFacts['state'], string> = { open: 'not reviewed', draft: 'a draft, not reviewed', closed: 'closed', merged: 'merged' }

/** What a page says about the pull request that it previews. `title` is empty where a heading has it. */
export function previewSummary({ number, author, commit, state }: PreviewFacts, title: string): string {
  const facts = [`Preview of pull request #${number}${title && `: ${title}`}`, author && `by ${author}`, `commit ${commit}`, STATES[state]]
  return facts.filter(Boolean).join(', ')
}

export const CHANGES: readonly { change: ListedChange['change']; label: string }[] = [
  { change: 'changed', label: 'Changed pages' },
  { change: 'new', label: 'New pages' },
  { change: 'moved', label: 'Moved pages' },
  { change: 'removed', label: 'Removed pages' },
]

/** Findings that only the pull request has, and those that its base has, too. */
export function groupFindings(findings: readonly PreviewFinding[]) {
  return [
    { label: 'New findings', findings: findings.filter(({ isNew }) => isNew) },
    { label: 'Findings that were there before', findings: findings.filter(({ isNew }) => !isNew) },
  ].filter((group) => group.findings.length > 0)
}
