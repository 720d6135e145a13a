// Calls functions of the server: `load(id, data)` returns the answer's value, or throws a redirect, a missing page or an error.
import { notFound, redirect } from '@tanstack/react-router'
import type { Functions } from './generated'
import { FUNCTIONS, functionUrl } from './functionUrl'
import { parse } from './html'
import { withBase } from '../lib/paths'
import { loadExportSearch } from '../lib/search/exportSearch'
import { dataFile, isStaticPage } from '../lib/staticSite'

export type FunctionId = keyof Functions

export type Envelope =
  | { kind: 'ok'; data: unknown }
  | { kind: 'redirect'; to: string; status: number }
  | { kind: 'not_found'; message: string }
  | { kind: 'error'; code: string; message: string; requestId?: string }

/** Calls a function: over HTTP in the browser, from prefetched answers on the server. */
export type CallFunction = (id: FunctionId, data: unknown) => Promise<Envelope>

export type Load = <Id extends FunctionId>(id: Id, data: Functions[Id]['input']) => Promise<Functions[Id]['output']>

/** An error whose message is shown to readers. The log of the server has `requestId`. */
export class ServerError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly requestId = '',
  ) {
    super(message)
    this.name = 'ServerError'
  }
}

export function loader(call: CallFunction): Load {
  return async <Id extends FunctionId>(id: Id, data: Functions[Id]['input']) => {
    const answer = await call(id, data)
    switch (answer.kind) {
      case 'ok':
        // The registry that answered is the one `Functions` was generated from.
        return answer.data as Functions[Id]['output']
      case 'redirect':
        throw redirect({ href: answer.to, statusCode: answer.status })
      case 'not_found':
        throw notFound({ data: { message: answer.message } })
      case 'error':
        throw new ServerError(answer.code, answer.message, answer.requestId)
    }
  }
}

type Posted = { [Id in FunctionId]: Functions[Id]['method'] extends 'POST' ? Id : never }[FunctionId]
// Types do not exist at run time. This record does not compile while a function is missing from it.
const POSTED: Record<Posted, true> = {
  'theme.set': true,
  'npm.request': true,
  'account.exchange': true,
  'account.publish': true,
  'account.delete': true,
  'sessions.end': true,
  'docs.changed': true,
  'feedback.move': true,
  'maintenance.sync': true,
  'overrides.sponsor': true,
  'overrides.promotion': true,
  'overrides.remove': true,
}

function body(data: unknown): BodyInit {
  if (data instanceof FormData) {
    data.set('context', '{}')
    return data
  }
  return JSON.stringify({ data, context: {} })
}

async function request(id: FunctionId, data: unknown): Promise<Response> {
  try {
    if (!(id in POSTED)) return await fetch(functionUrl(id, data))
    const headers: HeadersInit = data instanceof FormData ? {} : { 'content-type': 'application/json' }
    return await fetch(withBase(`${FUNCTIONS}${id}?createServerFn`), { method: 'POST', headers, body: body(data) })
  } catch {
    throw new ServerError('network', 'The server could not be reached.')
  }
}

/** The answer of a function on a page of an export. */
async function readAnswer(id: FunctionId, data: unknown): Promise<Envelope> {
  if (id === 'search.results') {
    const { searchResultsView } = await loadExportSearch()
    // Typed by `Load`.
    return { kind: 'ok', data: await searchResultsView(data as Functions['search.results']['input']) }
  }
  const response = await fetch(withBase(dataFile(id, data))).catch(() => undefined)
  if (!response?.ok) throw new ServerError('network', 'This is not available on this site.')
  // Written by the function registry in Python.
  return parse(await response.text()) as Envelope
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/** Calls a function over HTTP. Returns a response that is not JSON as it is; throws an error response without an envelope, decoded. */
export const callOverHttp: CallFunction = async (id, data) => {
  if (isStaticPage()) return readAnswer(id, data)
  const response = await request(id, data)
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (!isJson) {
    if (response.ok) return { kind: 'ok', data: response }
    throw new Error(await response.text())
  }
  const answer = parse(await response.text())
  if (isEnvelope(answer)) return answer.kind === 'error' ? { ...answer, requestId: response.headers.get('x-request-id') ?? '' } : answer
  if (!response.ok) throw answer
  return { kind: 'ok', data: answer }
}
