// The one way to get data: `load(id, data)` asks a function by name and turns its answer into a value or a throw.
import { notFound, redirect } from '@tanstack/react-router'
import type { Functions } from './generated'
import { parse } from './html'

export type FunctionId = keyof Functions

export type Envelope =
  | { kind: 'ok'; data: unknown }
  | { kind: 'redirect'; to: string; status: number }
  | { kind: 'not_found'; message: string }
  | { kind: 'error'; code: string; message: string }

/** Gets the answer to a function: over HTTP in the browser, from what is known during server rendering. */
export type Ask = (id: FunctionId, data: unknown) => Promise<Envelope>

export type Load = <Id extends FunctionId>(id: Id, data: Functions[Id]['takes']) => Promise<Functions[Id]['gives']>

/** A failure whose message a visitor may read. */
export class ServerError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
    this.name = 'ServerError'
  }
}

export function loader(ask: Ask): Load {
  return async <Id extends FunctionId>(id: Id, data: Functions[Id]['takes']) => {
    const answer = await ask(id, data)
    switch (answer.kind) {
      case 'ok':
        // The registry that answered is the one `Functions` was generated from.
        return answer.data as Functions[Id]['gives']
      case 'redirect':
        throw redirect({ href: answer.to, statusCode: answer.status })
      case 'not_found':
        throw notFound({ data: { message: answer.message } })
      case 'error':
        throw new ServerError(answer.code, answer.message)
    }
  }
}

const BASE = '/_server/'

type Posted = { [Id in FunctionId]: Functions[Id]['method'] extends 'POST' ? Id : never }[FunctionId]
// The generated types are gone at run time; this record does not compile while one is missing.
const POSTED: Record<Posted, true> = { 'theme.set': true }

/** Where the answer to a function is got. */
function address(id: FunctionId, data: unknown): string {
  const payload = JSON.stringify({ data, context: {} })
  return `${BASE}${id}?createServerFn&payload=${encodeURIComponent(payload)}`
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
    if (!(id in POSTED)) return await fetch(address(id, data))
    const headers: HeadersInit = data instanceof FormData ? {} : { 'content-type': 'application/json' }
    return await fetch(`${BASE}${id}?createServerFn`, { method: 'POST', headers, body: body(data) })
  } catch {
    throw new ServerError('network', 'The server could not be reached')
  }
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'kind' in value
}

/** The browser's way to ask. A non-JSON answer is given as it is; a refusal that is no envelope is thrown decoded. */
export const fetchAnswer: Ask = async (id, data) => {
  const response = await request(id, data)
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (!isJson) {
    if (response.ok) return { kind: 'ok', data: response }
    throw new Error(await response.text())
  }
  const answer = parse(await response.text())
  if (isEnvelope(answer)) return answer
  if (!response.ok) throw answer
  return { kind: 'ok', data: answer }
}
