// Offers to refresh a docs page whose text has changed since it was opened.
import { LIVE_CHANGED, MARKUP_CHANGED } from '../lib/events'
import { element } from '../reader/elements'
import { loadPageStyles } from '../reader/pageStyles'
import type { Topic, TopicState } from './topics'
import { topicKey } from './topics'

let notice: HTMLElement | undefined

export function showPageChanges(): void {
  document.addEventListener(LIVE_CHANGED, (event) => compare((event as CustomEvent<TopicState>).detail))
  // Another page came, or this one again.
  document.addEventListener(MARKUP_CHANGED, hideIfCurrent)
}

let changedTo: { path: string; digest: string } | undefined

function shownDigest(): string | undefined {
  return document.querySelector<HTMLElement>('main[data-digest]')?.dataset.digest
}

function compare({ topic, data }: TopicState): void {
  const { live, digest } = document.querySelector<HTMLElement>('main[data-live]')?.dataset ?? {}
  // Written by the server.
  if (!live || topicKey(JSON.parse(live) as Topic) !== topic || typeof data.digest !== 'string') return
  if (data.digest === digest) return
  changedTo = { path: location.pathname, digest: data.digest }
  show()
}

function hideIfCurrent(): void {
  if (changedTo && changedTo.path === location.pathname && changedTo.digest !== shownDigest()) return
  notice?.remove()
  notice = undefined
}

function show(): void {
  if (notice) return
  loadPageStyles()
  const button = element('button', { type: 'button', className: 'button button-small', textContent: 'Refresh' })
  button.addEventListener('click', () => location.reload())
  const close = element('button', { type: 'button', className: 'button button-small button-quiet', textContent: 'Later' })
  close.addEventListener('click', () => {
    notice?.remove()
    notice = undefined
  })
  // An output announces its content to screen readers, without moving the focus.
  notice = element('output', { className: 'live-notice' }, ['This page has changed. ', button, close])
  notice.dataset.permanent = ''
  document.body.append(notice)
}
