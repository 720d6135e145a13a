// Rendering as a pure function: (url, prefetched data) -> html | pending | redirect | error. Runs in bare V8.
import './polyfills'
import type { ReactNode } from 'react'
import { renderToReadableStream, renderToStaticMarkup, renderToString } from 'react-dom/server'
import type { CallFunction, Envelope, FunctionId } from './api/call'
import type { ComparisonChart } from './api/generated'
import { parse } from './api/html'
import { queryKey, SHELL_KEY } from './api/shared'
import type { PictureSize, PictureTheme } from './components/statistics/ChartPicture'
import { ChartPicture } from './components/statistics/ChartPicture'
import { withoutInvalidXml } from './lib/statistics/chart/xmlText'
import { ID_PREFIX } from './lib/layoutIds'
import { isPreviewPath, setBase, withBase } from './lib/paths'
import type { RouterOptions } from './router/createRouter'
import { createRouter } from './router/createRouter'
import { loadOnServer, RouterServer } from './router/serverInternals'
import type { Assets } from './routes/__root'

export interface Input {
  /** Path and query. */
  url: string
  prefetched: Record<string, Envelope>
  /** Addresses of files with the same answers, by key: the page links to these instead of containing the data. */
  shared?: Record<string, string>
}

export interface PendingQuery {
  key: string
  id: FunctionId
  data: unknown
}

/** `unused`: no loader queried some of the prefetched data. */
export type Outcome =
  | { type: 'pending'; queries: PendingQuery[] }
  | { type: 'redirect'; status: number; location: string; unused: boolean }
  | { type: 'html'; status: number; html: string; unused: boolean }
  | { type: 'picture'; svg: string }
  | { type: 'error'; message: string; stack: string }

/** Input for a picture of a chart instead of a page. */
export interface PictureInput {
  chart: ComparisonChart
  theme: PictureTheme
  size: PictureSize
  radius?: number
}

/** Thrown through the loaders when a query has no data yet. */
class QueryPending extends Error {}

let assets: Omit<Assets, 'shared'> | undefined

export function init(manifest: string): void {
  // Written by `manifest.ts`. Renderers of pictures pass one without files.
  const { base = '' } = JSON.parse(manifest) as { base?: string }
  setBase(base)
  // The manifest has addresses of files, and the rules of fonts, with such addresses.
  const read = JSON.parse(base ? manifest.replaceAll('/assets/', `${base}/assets/`) : manifest) as Omit<Assets, 'shared' | 'fontFaces' | 'styles'> &
    Partial<Pick<Assets, 'fontFaces' | 'styles'>>
  assets = { ...read, styles: read.styles ?? {}, fontFaces: read.fontFaces ?? '' }
}

export async function render({ url, prefetched, shared = {} }: Input): Promise<Outcome> {
  const pending = new Map<string, PendingQuery>()
  const used = new Set<string>()
  const call: CallFunction = async (id, data) => {
    const key = queryKey(id, data)
    const answer = prefetched[key]
    if (answer) {
      used.add(key)
      return answer
    }
    pending.set(key, { key, id, data })
    throw new QueryPending(key)
  }
  const pendingOutcome = (): Outcome => ({ type: 'pending', queries: [...pending.values()] })
  const options = {
    call,
    shell: prefetched[SHELL_KEY],
    isPreview: isPreviewPath(url),
    styles: assets?.styles,
    assets: assets && { ...assets, shared: Object.values(shared).map(withBase).join(' ') },
  }
  try {
    const first = await draw(url, options, pending)
    if (pending.size > 0) return pendingOutcome()
    const unused = used.size < Object.keys(prefetched).length
    const { status, location, failure } = first
    if (failure !== undefined) return { type: 'html', status: 500, html: await drawError(url, options, failure), unused }
    return first.html === undefined
      ? { type: 'redirect', status, location, unused }
      : { type: 'html', status, html: first.html, unused }
  } catch (error) {
    if (pending.size > 0) return pendingOutcome()
    return failureOf(error)
  }
}

function failureOf(error: unknown): Outcome {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  return { type: 'error', message, stack }
}

export function drawPicture(input: PictureInput): Outcome {
  try {
    return { type: 'picture', svg: withoutInvalidXml(renderToStaticMarkup(<ChartPicture {...input} />)) }
  } catch (error) {
    return failureOf(error)
  }
}

/** React leaves a hole where a component threw. The page is not hydrated: the component would throw again. */
async function drawError(url: string, options: RouterOptions, crash: unknown): Promise<string> {
  const { html, failure } = await draw(url, { ...options, assets: options.assets && { ...options.assets, failed: true }, crash })
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

async function draw(url: string, options: RouterOptions, pending: ReadonlyMap<string, PendingQuery> = new Map()): Promise<Drawn> {
  let html: string | undefined
  let failure: unknown
  const router = createRouter(options)
  const result = await loadOnServer(router, url)
  if (result.type === 'redirect') return { status: result.status, location: result.location, html, failure }
  // All loaders have run. With a pending query there is nothing to render.
  if (pending.size === 0) {
    const page = <RouterServer router={router} />
    // All data is there, and a string takes half the time of a byte stream.
    const drawn = renderToString(page, { identifierPrefix: ID_PREFIX })
    if (drawn.includes(HOLE)) failure = await firstError(page)
    html = drawn.startsWith(DOCTYPE) ? drawn : DOCTYPE + drawn
  }
  return { status: result.status, location: '/', html, failure }
}

const DOCTYPE = '<!DOCTYPE html>'

/** React's marker for a component that threw. */
const HOLE = '<!--$!-->'

/** The error that a component threw: only React's streaming renderer reports it. */
async function firstError(page: ReactNode): Promise<unknown> {
  let first: unknown
  const onError = (error: unknown) => {
    first ??= error
    console.error(error)
  }
  const stream = await renderToReadableStream(page, { onError }).catch(() => null)
  await stream?.allReady
  return first ?? new Error('A component broke')
}

// Parsed answers that many pages share, by the addresses of their files. Python sends each once, until it calls `forget`. Values
// memoized by object identity are reused across renders.
const sharedAnswers = new Map<string, Envelope>()

export function forget(): void {
  sharedAnswers.clear()
}

function sharedAnswer(href: string): Envelope {
  const answer = sharedAnswers.get(href)
  if (!answer) throw new Error(`No answer with the address ${href} was sent`)
  return answer
}

function envelope(json: string): Envelope {
  // Serialized by the function registry in Python.
  return parse(json) as Envelope
}

/** What Python sends for a page: answers as JSON. `held` are new shared answers, by address. */
interface SerializedInput {
  url: string
  prefetched: Record<string, string>
  shared?: Record<string, string>
  held?: Record<string, string>
}

// Strings in, strings out, for an engine without promises: V8 runs all microtasks before `start` returns.
let finished: string | undefined

export function start(input: string): void {
  finished = undefined
  // From Python: a picture, or `Input` with prefetched answers as JSON strings.
  const parsed = JSON.parse(input) as { picture: PictureInput } | SerializedInput
  if ('picture' in parsed) {
    finished = JSON.stringify(drawPicture(parsed.picture))
    return
  }
  const { url, prefetched, shared = {}, held = {} } = parsed
  for (const [href, json] of Object.entries(held)) sharedAnswers.set(href, envelope(json))
  const answers = [
    ...Object.entries(prefetched).map(([key, json]) => [key, envelope(json)] as const),
    ...Object.entries(shared).map(([key, href]) => [key, sharedAnswer(href)] as const),
  ]
  void render({ url, prefetched: Object.fromEntries(answers), shared }).then((outcome) => {
    finished = JSON.stringify(outcome)
  })
}

export function take(): string | undefined {
  const outcome = finished
  finished = undefined
  return outcome
}

/** Console output since the last call, in bare V8. */
export function logs(): string {
  return JSON.stringify(globalThis.__logs?.splice(0) ?? [])
}

declare global {
  var __logs: string[] | undefined
}
