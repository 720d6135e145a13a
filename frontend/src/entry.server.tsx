// Rendering as a pure function: (url, what is known) -> html | needs | redirect | error. Runs in bare V8.
import './polyfills'
import { createMemoryHistory } from '@tanstack/react-router'
import { getNormalizedURL, getSsrStatus, RouterServer } from '@tanstack/react-router/ssr/server'
import type { ReactNode } from 'react'
import { renderToReadableStream, renderToString } from 'react-dom/server'
import type { Ask, Envelope, FunctionId } from './api/call'
import { parse } from './api/html'
import { keyOf } from './api/shared'
import type { RouterOptions } from './router'
import { createRouter } from './router'
import type { Assets } from './routes/__root'

export interface Input {
  /** Path and query. */
  url: string
  known: Record<string, Envelope>
  /** Keys of answers that are also served as files, and where: the page then does not repeat them. */
  shared?: Record<string, string>
  /** The other answers as JSON, an object by key, for the page to carry. */
  answers?: string
}

export interface Need {
  key: string
  id: FunctionId
  data: unknown
}

/** `unused`: something that was known was not asked for, though the page may name it among its files. */
export type Outcome =
  | { type: 'needs'; needs: Need[] }
  | { type: 'redirect'; status: number; location: string; unused: boolean }
  | { type: 'html'; status: number; html: string; unused: boolean }
  | { type: 'error'; message: string; stack: string }

/** The router wants one; addresses go without. */
const ORIGIN = 'http://localhost'

/** Thrown through the loaders when an answer is not known yet. */
class NeedsAnswer extends Error {}

let assets: Omit<Assets, 'shared' | 'answers'> | undefined

export function init(manifest: string): void {
  assets = JSON.parse(manifest)
}

export async function render({ url, known, shared = {}, answers = '{}' }: Input): Promise<Outcome> {
  const needs = new Map<string, Need>()
  const used = new Set<string>()
  const ask: Ask = async (id, data) => {
    const key = keyOf(id, data)
    const answer = known[key]
    if (answer) {
      used.add(key)
      return answer
    }
    needs.set(key, { key, id, data })
    throw new NeedsAnswer(key)
  }
  const wanted = (): Outcome => ({ type: 'needs', needs: [...needs.values()] })
  const options = {
    ask,
    styles: assets?.styles,
    assets: assets && { ...assets, shared: Object.values(shared).join(' '), answers },
  }
  try {
    const first = await draw(url, options, needs)
    if (needs.size > 0) return wanted()
    const unused = used.size < Object.keys(known).length
    const { status, location, failure } = first
    if (failure !== undefined) return { type: 'html', status: 500, html: await broken(url, options, failure), unused }
    return first.html === undefined
      ? { type: 'redirect', status, location, unused }
      : { type: 'html', status, html: first.html, unused }
  } catch (error) {
    if (needs.size > 0) return wanted()
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    return { type: 'error', message, stack }
  }
}

/** Where a component broke, React leaves a hole. No app takes this page over: what broke here would break there. */
async function broken(url: string, options: RouterOptions, crash: unknown): Promise<string> {
  const { html, failure } = await draw(url, { ...options, assets: options.assets && { ...options.assets, app: '' }, crash })
  if (html === undefined) throw failure
  return html
}

interface Drawn {
  status: number
  location: string
  html: string | undefined
  /** What a component threw. */
  failure: unknown
}

async function draw(url: string, options: RouterOptions, needs: ReadonlyMap<string, Need> = new Map()): Promise<Drawn> {
  let html: string | undefined
  let failure: unknown
  const router = createRouter(options)
  const { url: address } = getNormalizedURL(`${ORIGIN}${url}`, ORIGIN)
  // Not the router's own request handler: it would serialise what the page carries as JSON already.
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address.href.slice(ORIGIN.length)] }), origin: ORIGIN })
  await router.load({ _skipLocationUpdate: true })
  const result = router._serverResult
  if (result?.type === 'redirect') {
    const { status, headers } = result.redirect
    return { status, location: headers.get('Location') ?? '/', html, failure }
  }
  // Every loader has run. With an answer missing there is nothing to show yet.
  if (needs.size === 0) {
    const page = <RouterServer router={router} />
    // Nothing is left to wait for, and a string is half the work of a stream of bytes.
    const drawn = renderToString(page)
    if (drawn.includes(HOLE)) failure = await reason(page)
    html = `<!DOCTYPE html>${settled(drawn.replace(/^<!DOCTYPE html>/, ''))}`
  }
  return { status: getSsrStatus(router), location: '/', html, failure }
}

const STYLESHEET = /<link rel="stylesheet" href="[^"]*" data-precedence="[^"]*"\/>/g

/** With the stylesheets, which React puts first, at the end of the head: a script after one would wait for it. */
function settled(html: string): string {
  const end = html.indexOf('</head>')
  const head = html.slice(0, end)
  return head.replace(STYLESHEET, '') + (head.match(STYLESHEET) ?? []).join('') + html.slice(end)
}

/** What React leaves where a component broke. */
const HOLE = '<!--$!-->'

/** What broke: only React's renderer for streams tells. */
async function reason(page: ReactNode): Promise<unknown> {
  let first: unknown
  const onError = (error: unknown) => {
    first ??= error
    console.error(error)
  }
  const stream = await renderToReadableStream(page, { onError }).catch(() => null)
  await stream?.allReady
  return first ?? new Error('A component broke')
}

// Answers that many pages share, as they were read the first time: what is made of them is kept with them.
const memory = new Map<string, Envelope>()
const MOST_REMEMBERED = 64

function remembered(json: string): Envelope {
  const known = memory.get(json)
  if (known) return known
  if (memory.size >= MOST_REMEMBERED) memory.clear()
  const answer = envelope(json)
  memory.set(json, answer)
  return answer
}

function envelope(json: string): Envelope {
  // Written by our registry.
  return parse(json) as Envelope
}

// Strings in, strings out, for an engine without promises: V8 runs all microtasks before `start` returns.
let finished: string | undefined

export function start(input: string): void {
  finished = undefined
  // The input is JSON of ours in the shape that `Input` says, but for its answers, each of which is JSON in a string.
  const { url, known, shared = {} } = JSON.parse(input) as Omit<Input, 'known'> & { known: Record<string, string> }
  const told = Object.entries(known).map(([key, json]) => [key, key in shared ? remembered(json) : envelope(json)])
  const own = Object.entries(known).filter(([key]) => !(key in shared))
  const answers = `{${own.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`
  void render({ url, known: Object.fromEntries(told), shared, answers }).then((outcome) => {
    finished = JSON.stringify(outcome)
  })
}

export function take(): string | undefined {
  const outcome = finished
  finished = undefined
  return outcome
}

/** What was written to the console since the last time, in bare V8. */
export function logs(): string {
  return JSON.stringify(globalThis.__logs?.splice(0) ?? [])
}

declare global {
  var __logs: string[] | undefined
}
