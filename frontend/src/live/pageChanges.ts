// Offers to refresh a docs page whose text has changed since it was opened.
import { LIVE_CHANGED, MARKUP_CHANGED } from '../lib/events'
import { showChangeNotice } from './changeNotice'
import type { Topic, TopicState } from './topics'
import { topicKey } from './topics'

let changedTo: { path: string; digest: string } | undefined
let removeNotice: (() => void) | undefined

export function showPageChanges(): void {
  document.addEventListener(LIVE_CHANGED, (event) => compare((event as CustomEvent<TopicState>).detail))
  // Another page came, or this one again.
  document.addEventListener(MARKUP_CHANGED, hideIfCurrent)
}

function shownPage(): DOMStringMap {
  return document.querySelector<HTMLElement>('main[data-live][data-digest]')?.dataset ?? {}
}

function compare({ topic, data }: TopicState): void {
  const { live, digest } = shownPage()
  // Written by the server.
  if (!live || topicKey(JSON.parse(live) as Topic) !== topic || typeof data.digest !== 'string') return
  if (data.digest === digest || changedTo?.digest === data.digest) return
  changedTo = { path: location.pathname, digest: data.digest }
  removeNotice?.()
  removeNotice = showChangeNotice()
  hideIfCurrent()
}

function hideIfCurrent(): void {
  if (changedTo && changedTo.path === location.pathname && changedTo.digest !== shownPage().digest) return
  removeNotice?.()
  removeNotice = changedTo = undefined
}
