// Web APIs that bare V8 lacks and React's server renderer or the router use. Defined only if missing: the bundle also runs in Node.
import 'core-js/web/url'
import 'core-js/web/url-search-params'
import { TextDecoder, TextEncoder } from './polyfills/text'
import { AbortController, AbortSignal, EventTarget } from './polyfills/events'
import { Headers, Request, Response } from './polyfills/http'
import { ReadableStream } from './polyfills/stream'

type Callback = (...values: unknown[]) => void

const scope: Record<string, unknown> = Object(globalThis)

function provide(values: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(values)) scope[name] ??= value
}

const IN_BARE_V8 = !('TextEncoder' in globalThis)
const LOG_LINES = 50

function inWords(value: unknown): string {
  return value instanceof Error ? (value.stack ?? value.message) : String(value)
}

function recordingConsole(): Record<string, Callback> {
  const lines: string[] = []
  globalThis.__logs = lines
  const write =
    (level: string): Callback =>
    (...values) => {
      if (lines.length < LOG_LINES) lines.push(`${level} ${values.map(inWords).join(' ')}`)
    }
  return { log: write('log'), info: write('info'), warn: write('warn'), error: write('error'), debug: () => undefined }
}

const soon = (run: () => void): void => void Promise.resolve().then(run)

// A render waits for no time to pass: timers without a delay run as microtasks, timers with one are timeouts and are dropped.
function immediateTimers(): Record<string, unknown> {
  let last = 0
  const due = new Set<number>()
  return {
    setTimeout: (run: Callback, delay = 0, ...values: unknown[]): number => {
      const id = ++last
      if (delay > 0) return id
      due.add(id)
      soon(() => {
        if (due.delete(id)) run(...values)
      })
      return id
    },
    clearTimeout: (id: number): void => void due.delete(id),
  }
}

class MessageChannel {
  readonly port1: { onmessage: ((event: { data: unknown }) => void) | null } = { onmessage: null }
  readonly port2 = { postMessage: (data: unknown) => soon(() => this.port1.onmessage?.({ data })) }
}

class Nothing {}

provide({ global: globalThis, self: globalThis, queueMicrotask: soon, __epoch: () => 0 })
if (IN_BARE_V8) Object.assign(scope, { console: recordingConsole() }, immediateTimers())
provide({
  TextDecoder,
  TextEncoder,
  EventTarget,
  AbortController,
  AbortSignal,
  Headers,
  Request,
  Response,
  ReadableStream,
  MessageChannel,
  FormData: Nothing,
  File: Nothing,
  Blob: Nothing,
  performance: { now: () => 0 },
  setImmediate: (run: Callback, ...values: unknown[]) => soon(() => run(...values)),
})
