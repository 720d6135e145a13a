// The connection of one tab to the server: an event stream, or snapshots every minute where there is none.
import type { Patch, Topic, TopicState } from './topics'
import { applyPatch, encodeTopics, retryDelay, topicKey } from './topics'
import { withBase } from '../lib/paths'

const POLL_MS = 60_000
/** Failures in a row after which snapshots are requested. The stream is tried again with each. */
const FAILURES_BEFORE_POLLING = 3

export class LiveConnection {
  readonly states = new Map<string, TopicState>()
  private topics: Topic[] = []
  private stream: EventSource | undefined
  private timer = 0
  private failures = 0
  private lastId = ''
  private readonly browser = Math.random().toString(36).slice(2)

  constructor(private readonly onState: (state: TopicState) => void) {}

  /** Follows these topics from now on. The states of others are forgotten. */
  follow(topics: Topic[]): void {
    const keys = topics.map(topicKey)
    if (keys.join() === this.topics.map(topicKey).join()) return
    this.topics = topics
    // The id of the last event has the versions in the order of the topics.
    this.lastId = ''
    for (const key of this.states.keys()) if (!keys.includes(key)) this.states.delete(key)
    this.close()
    this.open()
  }

  close(): void {
    clearTimeout(this.timer)
    this.stream?.close()
    this.stream = undefined
  }

  open(): void {
    if (this.stream || this.topics.length === 0) return
    clearTimeout(this.timer)
    const last = this.lastId ? `&last=${encodeURIComponent(this.lastId)}` : ''
    const stream = new EventSource(withBase(`/api/live?q=${encodeTopics(this.topics)}&b=${this.browser}${last}`))
    this.stream = stream
    stream.addEventListener('hello', () => {
      this.failures = 0
    })
    stream.addEventListener('snapshot', (event) => this.receive(event, JSON.parse(event.data) as TopicState))
    stream.addEventListener('patch', (event) => {
      const patch = JSON.parse(event.data) as Patch
      const state = applyPatch(this.states.get(patch.topic), patch)
      if (state) this.receive(event, state)
      else this.restart()
    })
    stream.addEventListener('bye', (event) => {
      const { retryMs } = JSON.parse(event.data) as { retryMs: number }
      this.reopenIn(retryMs)
    })
    // Our own attempts have jitter; those of the browser have not.
    stream.addEventListener('error', () => {
      this.failures += 1
      if (this.failures < FAILURES_BEFORE_POLLING) this.reopenIn(retryDelay(this.failures))
      else void this.poll()
    })
  }

  private receive(event: MessageEvent, state: TopicState): void {
    if (event.lastEventId) this.lastId = event.lastEventId
    this.states.set(state.topic, state)
    this.onState(state)
  }

  /** A change is missing: the stream begins again with whole states. */
  private restart(): void {
    this.lastId = ''
    this.reopenIn(0)
  }

  private reopenIn(ms: number): void {
    this.close()
    this.timer = window.setTimeout(() => this.open(), ms)
  }

  private async poll(): Promise<void> {
    this.close()
    // Set before the request: `close` ends the polling, too.
    this.timer = window.setTimeout(() => this.open(), POLL_MS)
    try {
      const response = await fetch(withBase(`/api/live/snapshot?q=${encodeTopics(this.topics)}`))
      if (!response.ok) return
      for (const state of (await response.json()) as TopicState[]) {
        if (this.states.get(state.topic)?.v === state.v) continue
        this.states.set(state.topic, state)
        this.onState(state)
      }
    } catch {
      // Offline: the next attempt is in a minute.
    }
  }
}
