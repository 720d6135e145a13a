// Follows the topics that the page declares. One tab of the browser holds the stream, and shares what it gets with the others.
import { LIVE_CHANGED, MARKUP_CHANGED } from '../lib/events'
import { LiveConnection } from './LiveConnection'
import type { Topic, TopicState } from './topics'
import { topicKey } from './topics'

const NAME = 'kinfolk-live'
/** The server's limit. */
const MOST_TOPICS = 8
/** A tab that is hidden for longer needs nothing. */
const HIDDEN_MS = 5 * 60_000

/** Between tabs: what a tab shows, what it wants to know, and that there is a new holder of the stream. */
type Message = { kind: 'want'; tab: string; topics: Topic[] } | { kind: 'state'; state: TopicState } | { kind: 'leader' }

const tab = Math.random().toString(36).slice(2)
const wanted = new Map<string, Topic[]>()
const channel = 'BroadcastChannel' in window ? new BroadcastChannel(NAME) : undefined
const connection = new LiveConnection((state) => {
  show(state)
  post({ kind: 'state', state })
})
let leads = false
let releaseLock: (() => void) | undefined
let hiddenTimer = 0

function post(message: Message): void {
  // A channel has no other origins.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(message)
}

function show(state: TopicState): void {
  document.dispatchEvent(new CustomEvent(LIVE_CHANGED, { detail: state }))
}

/** The topics of elements such as `<main data-live='{"name": "docs.page", "args": {…}}'>`. */
function topicsOfPage(): Topic[] {
  return [...document.querySelectorAll<HTMLElement>('[data-live]')].flatMap(({ dataset }) =>
    // Written by the server.
    dataset.live ? [JSON.parse(dataset.live) as Topic] : [],
  )
}

export function followPage(): void {
  if (!('EventSource' in window)) return
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  document.addEventListener(MARKUP_CHANGED, announce)
  document.addEventListener('visibilitychange', onVisibility)
  // A page with an open connection does not go into the back/forward cache.
  addEventListener('pagehide', pause)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) resume()
  })
  resume()
}

function onVisibility(): void {
  clearTimeout(hiddenTimer)
  if (document.visibilityState === 'visible') resume()
  else hiddenTimer = window.setTimeout(pause, HIDDEN_MS)
}

function resume(): void {
  announce()
  if (releaseLock || leads) return
  // Missing in insecure contexts, which TypeScript does not know. Then each tab has a stream.
  const locks = navigator.locks as LockManager | null | undefined
  if (!locks || !channel) return lead()
  const controller = new AbortController()
  releaseLock = () => controller.abort()
  locks
    .request(NAME, { signal: controller.signal }, () => {
      lead()
      return new Promise<void>((resolve) => {
        releaseLock = resolve
      })
    })
    .catch(() => undefined)
}

function pause(): void {
  wanted.delete(tab)
  post({ kind: 'want', tab, topics: [] })
  connection.close()
  leads = false
  releaseLock?.()
  releaseLock = undefined
}

function lead(): void {
  leads = true
  post({ kind: 'leader' })
  update()
  connection.open()
}

/** Tells the holder of the stream what this tab shows. */
function announce(): void {
  const topics = topicsOfPage()
  wanted.set(tab, topics)
  post({ kind: 'want', tab, topics })
  if (leads) {
    update()
    repeat(topics)
  }
}

function receive(message: Message): void {
  switch (message.kind) {
    case 'state':
      return show(message.state)
    case 'leader':
      return announce()
    case 'want':
      wanted.delete(message.tab)
      if (message.topics.length > 0) wanted.set(message.tab, message.topics)
      if (!leads) return
      update()
      for (const topic of message.topics) {
        const state = connection.states.get(topicKey(topic))
        if (state) post({ kind: 'state', state })
      }
  }
}

/** Follows what all tabs show: this tab and the latest ones, if it is too much. */
function update(): void {
  const all = [...(wanted.get(tab) ?? []), ...[...wanted.values()].toReversed().flat()]
  const byKey = new Map(all.map((topic) => [topicKey(topic), topic]))
  connection.follow([...byKey.values()].slice(0, MOST_TOPICS))
}

/** What is known is shown again after a visit. */
function repeat(topics: Topic[]): void {
  for (const topic of topics) {
    const state = connection.states.get(topicKey(topic))
    if (state) show(state)
  }
}
