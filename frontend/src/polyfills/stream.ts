// ReadableStream, as far as React's renderer and its reader here use it.

interface Controller<T> {
  desiredSize: number
  byobRequest: null
  enqueue(chunk: T): void
  close(): void
  error(reason: unknown): void
}

interface Source<T> {
  start?(controller: Controller<T>): void
  pull?(controller: Controller<T>): void
}

type Read<T> = { done: false; value: T } | { done: true; value: undefined }

export class ReadableStream<T> {
  private readonly queue: T[] = []
  private closed = false
  private failure: { reason: unknown } | undefined
  private waiting: (() => void)[] = []
  private readonly controller: Controller<T>

  constructor(private readonly source: Source<T> = {}) {
    this.controller = {
      desiredSize: Infinity,
      byobRequest: null,
      enqueue: (chunk) => {
        this.queue.push(chunk)
        this.wake()
      },
      close: () => {
        this.closed = true
        this.wake()
      },
      error: (reason) => {
        this.failure = { reason }
        this.wake()
      },
    }
    source.start?.(this.controller)
  }

  getReader(): { read(): Promise<Read<T>>; releaseLock(): void } {
    return { read: () => this.read(), releaseLock: () => undefined }
  }

  async cancel(): Promise<void> {
    this.closed = true
  }

  private async read(): Promise<Read<T>> {
    for (;;) {
      const value = this.queue.shift()
      if (value !== undefined) return { done: false, value }
      if (this.failure) throw this.failure.reason
      if (this.closed) return { done: true, value: undefined }
      const woken = new Promise<void>((resolve) => this.waiting.push(resolve))
      this.source.pull?.(this.controller)
      if (this.queue.length === 0 && !this.closed && !this.failure) await woken
    }
  }

  private wake(): void {
    const waiting = this.waiting
    this.waiting = []
    for (const resume of waiting) resume()
  }
}
