// The state of one search: what is wanted, the last answer, and whether another is awaited.
import type { FailedSearch } from './search'
import type { SearchAnswer, SearchParameters, SearchRequest, SearchResponse, SearchTarget } from './searchRequests'
import { emptyAnswer, readAnswer, searchRequests } from './searchRequests'
import { hasWords } from './queryWords'

/** A search is slow from then on. */
const STALLED_MS = 200

export type SearchOutcome = { kind: 'answered'; results: SearchResponse[] } | { kind: 'failed'; failure: FailedSearch }

export interface SearchClient {
  search(requests: readonly SearchRequest[]): Promise<SearchOutcome>
}

export interface SearchProgress {
  parameters: SearchParameters
  /** The last answer, be it to an earlier search; null before the first. */
  answer: SearchAnswer | null
  /** Of the last search. It stays until another is answered. */
  failure: FailedSearch | null
  status: 'idle' | 'loading' | 'stalled'
}

export class SearchStore {
  private progress: SearchProgress
  private readonly listeners = new Set<() => void>()
  private stalling: ReturnType<typeof setTimeout> | undefined
  /** Number of the last search. */
  private last = 0
  /** Number of the search whose answer is shown. */
  private answered = 0

  constructor(
    private readonly client: SearchClient,
    private readonly target: SearchTarget,
    parameters: SearchParameters,
  ) {
    this.progress = { parameters, answer: null, failure: null, status: 'idle' }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly read = (): SearchProgress => this.progress

  /** Searches with these changes, from the first page on unless they name another. */
  readonly change = (changes: Partial<SearchParameters>): void => {
    this.update({ parameters: { ...this.progress.parameters, page: 0, ...changes } })
    void this.search()
  }

  /** Searches again, as after a failure. */
  readonly search = async (): Promise<void> => {
    this.last += 1
    const own = this.last
    const { parameters } = this.progress
    if (!hasWords(parameters.query)) {
      this.answered = own
      this.stopWaiting()
      this.update({ answer: emptyAnswer(parameters.query), failure: null, status: 'idle' })
      return
    }
    this.wait()
    const outcome = await this.client.search(searchRequests(parameters, this.target))
    // Answers are shown as they come, but none after a later one.
    if (own < this.answered) return
    if (outcome.kind === 'answered') this.answered = own
    // A failure counts only for what is still wanted.
    else if (own !== this.last) return
    this.stopWaiting()
    if (own !== this.last) this.wait()
    this.update({
      ...(outcome.kind === 'answered'
        ? { answer: readAnswer(parameters, outcome.results), failure: null }
        : { failure: outcome.failure }),
      status: own === this.last ? 'idle' : 'loading',
    })
  }

  private wait(): void {
    this.stalling ??= setTimeout(() => this.update({ status: 'stalled' }), STALLED_MS)
    if (this.progress.status === 'idle') this.update({ status: 'loading' })
  }

  private stopWaiting(): void {
    clearTimeout(this.stalling)
    this.stalling = undefined
  }

  private update(changes: Partial<SearchProgress>): void {
    this.progress = { ...this.progress, ...changes }
    for (const listener of this.listeners) listener()
  }
}
