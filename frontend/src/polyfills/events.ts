// Event, EventTarget and AbortController, as far as a render uses them.

interface Happening {
  type: string
}
type Listener = ((event: Happening) => void) | { handleEvent(event: Happening): void }

export class EventTarget {
  private readonly listeners = new Map<string, Set<Listener>>()

  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, (this.listeners.get(type) ?? new Set()).add(listener))
  }

  removeEventListener(type: string, listener: Listener): void {
    this.listeners.get(type)?.delete(listener)
  }

  dispatchEvent(event: Happening): boolean {
    for (const listener of this.listeners.get(event.type) ?? []) {
      if (typeof listener === 'function') listener.call(this, event)
      else listener.handleEvent(event)
    }
    return true
  }
}

export class AbortSignal extends EventTarget {
  aborted = false
  reason: unknown
  onabort: ((event: Happening) => void) | null = null

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  static abort(reason?: unknown): AbortSignal {
    const controller = new AbortController()
    controller.abort(reason)
    return controller.signal
  }

  static any(signals: AbortSignal[]): AbortSignal {
    const controller = new AbortController()
    for (const signal of signals) {
      if (signal.aborted) controller.abort(signal.reason)
      else signal.addEventListener('abort', () => controller.abort(signal.reason))
    }
    return controller.signal
  }
}

export class AbortController {
  readonly signal = new AbortSignal()

  abort(reason: unknown = Object.assign(new Error('This operation was aborted'), { name: 'AbortError' })): void {
    const { signal } = this
    if (signal.aborted) return
    signal.aborted = true
    signal.reason = reason
    const event = { type: 'abort' }
    signal.onabort?.(event)
    signal.dispatchEvent(event)
  }
}
