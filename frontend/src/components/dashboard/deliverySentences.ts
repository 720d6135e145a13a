import type { DeliveryItem, DeliveryOutcome } from '../../api/generated'
import { formatNumber } from '../../lib/format'

/** A sync that has not ended after this time has no result: the process that received the push has ended. */
const RESULT_MS = 10 * 60_000

const SENTENCES: Record<DeliveryOutcome, (delivery: DeliveryItem) => string> = {
  push: () => '',
  tag: () => '',
  pull_request: () => 'Its preview is made in the background.',
  release: () => 'Its notes are fetched in the background.',
  star: () => 'The number of stars is stored.',
  ping: () => 'The code host has tested the webhook: its address and secret are right.',
  other_branch: ({ detail }) => `The site shows other branches of this repository: ${detail}.`,
  other_repository: () =>
    'No library of this site has its docs in this repository. Compare `repo` and `host` in the files of the libraries.',
  unused_event: () => 'The site does not use this event. You can turn it off at the code host.',
  no_change: () => 'The pull request was closed before it had a preview.',
  turned_off: ({ ref }) =>
    ref ? 'The site has no previews: `KINFOLK_PREVIEWS` is 0.' : 'The site has no release notes: `KINFOLK_RELEASE_NOTES` is off.',
  no_secret: () => '`KINFOLK_WEBHOOK_SECRET` is not set. Set it to the secret of the webhook, and start the server again.',
  wrong_signature: () =>
    'The secret at the code host differs from `KINFOLK_WEBHOOK_SECRET`, or another client sent the request.',
  too_large: () => 'The payload was larger than 5 MB.',
  too_slow: () => 'The payload did not arrive within 20 seconds.',
  invalid: () => 'The payload was not the JSON of this event. Choose the content type `application/json` at the code host.',
  no_mirror: () => 'This server has no mirror of the repository. Run `kinfolk sync` once.',
  not_stored: ({ detail }) => `It could not be stored. ${detail}. Send it again at the code host.`,
}

/** What came of a delivery, and what to do. Parts between backticks are code. */
export function deliverySentence(delivery: DeliveryItem, now: string): string {
  const { outcome } = delivery
  return outcome === 'push' || outcome === 'tag' ? syncSentence(delivery, now) : SENTENCES[outcome](delivery)
}

/** The state of a delivery in a word or two. */
export function deliveryState({ outcome, result, sync }: DeliveryItem, isOld: boolean): string {
  if (outcome !== 'push' && outcome !== 'tag') return result
  switch (sync) {
    case null:
      return isOld ? 'no result' : 'sync running'
    case 'failed':
      return 'sync failed'
    case 'served':
      return 'served'
    default:
      return outcome === 'tag' ? 'synced' : 'nothing new'
  }
}

/** Whether a push without a result gets none. */
export function isWithoutResult({ at }: DeliveryItem, now: string): boolean {
  return Date.parse(now) - Date.parse(at) > RESULT_MS
}

/** What a delivery is about. */
export function deliveryTitle({ outcome, repo, ref, event }: DeliveryItem): string {
  if (outcome === 'ping') return 'Test of the webhook'
  if (!repo) return event ? `Event ${event}` : 'Unverified request'
  if (outcome === 'tag') return `${repo}, tag ${ref}`
  if (ref.startsWith('#')) return `${repo}, pull request ${ref}`
  return ref ? `${repo}, branch ${ref}` : repo
}

/** `0.4 s`, `12 s`, `3 min`, with a space that no line ends at. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)}\u00a0s`
  return seconds < 120 ? `${Math.round(seconds)}\u00a0s` : `${formatNumber(Math.round(seconds / 60))}\u00a0min`
}

function syncSentence(delivery: DeliveryItem, now: string): string {
  const { outcome, sync, syncAfterS, syncCommit, syncReason, commit } = delivery
  if (sync === null || syncAfterS === null) {
    return isWithoutResult(delivery, now)
      ? 'How its sync ended is not stored: the process that received it was stopped. The page "Content" has the last sync.'
      : 'The sync has not ended yet.'
  }
  const after = formatSeconds(syncAfterS)
  if (sync === 'failed') return `The sync failed after ${after}: ${syncReason}. The last good commit is served.`
  if (outcome === 'tag') return `The repository was synced, and its releases were looked up, within ${after}.`
  switch (sync) {
    case 'served':
      return commit && commit !== syncCommit
        ? `Commit ${short(syncCommit)} was served ${after} after the delivery. The code host sent it in place of ${short(commit)}.`
        : `Commit ${short(syncCommit)} was served ${after} after the delivery.`
    case 'no_change':
      return `Commit ${short(commit)} was fetched within ${after}. It changes no file that the site shows.`
    case 'no_commit':
      return `The sync ended after ${after} without a new commit: it was fetched before, or the code host did not have it yet.`
  }
}

function short(commit: string): string {
  return commit.slice(0, 8)
}
