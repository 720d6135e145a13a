// Headers, Request and Response without a network: the router represents redirects and statuses with them.
import { AbortController } from './events'

type Init = Iterable<readonly [string, string]> | Record<string, string> | undefined

function isPairs(init: NonNullable<Init>): init is Iterable<readonly [string, string]> {
  return Symbol.iterator in init
}

export class Headers {
  private readonly values = new Map<string, string>()

  constructor(init?: Init) {
    if (!init) return
    for (const [name, value] of isPairs(init) ? init : Object.entries(init)) this.append(name, value)
  }

  append(name: string, value: string): void {
    const before = this.get(name)
    this.set(name, before === null ? value : `${before}, ${value}`)
  }

  set(name: string, value: string): void {
    this.values.set(name.toLowerCase(), String(value))
  }

  get(name: string): string | null {
    return this.values.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.values.has(name.toLowerCase())
  }

  delete(name: string): void {
    this.values.delete(name.toLowerCase())
  }

  getSetCookie(): string[] {
    const cookies = this.get('set-cookie')
    return cookies === null ? [] : [cookies]
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this.values) visit(value, name)
  }

  entries(): IterableIterator<[string, string]> {
    return this.values.entries()
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
}

interface ResponseOptions {
  status?: number
  statusText?: string
  headers?: Init
}

export class Response {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers

  constructor(
    readonly body: unknown = null,
    { status = 200, statusText = '', headers }: ResponseOptions = {},
  ) {
    this.status = status
    this.statusText = statusText
    this.headers = new Headers(headers)
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }
}

export class Request {
  readonly method = 'GET'
  readonly headers = new Headers()
  readonly signal = new AbortController().signal

  constructor(readonly url: string) {}
}
