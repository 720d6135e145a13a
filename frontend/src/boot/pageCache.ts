// Pages fetched ahead of a visit: one request for each URL, cached as long as the app treats an answer as fresh.

import { pageHtml } from './pagePolicy'

const FRESH_MS = 5 * 60_000

export interface FetchedPage {
  /** Its URL after redirects. */
  url: string
  html: string
  /** The parsed page. A visit moves its nodes into the document and deletes it. */
  document?: Document
}

const pages = new Map<string, Promise<FetchedPage | undefined>>()

/** Fetches a page once. Resolves to undefined where the browser has to open the URL itself: no page, another origin, an error. */
export function fetchPage(href: string, priority: RequestPriority = 'auto'): Promise<FetchedPage | undefined> {
  const [url = ''] = href.split('#')
  let page = pages.get(url)
  if (!page) {
    page = request(url, priority).catch(() => undefined)
    pages.set(url, page)
    setTimeout(() => pages.delete(url), FRESH_MS)
  }
  return page
}

async function request(url: string, priority: RequestPriority): Promise<FetchedPage | undefined> {
  const response = await fetch(url, { priority })
  if (!response.ok || !response.headers.get('content-type')?.startsWith('text/html')) return undefined
  const page = { url: response.url, html: await response.text() }
  return new URL(page.url).origin === location.origin ? page : undefined
}

/** Parses the page once, if possible before the visit needs it. Its styles become data: the policy of this document names other ones. */
export function parsePage(page: FetchedPage | undefined): Document | undefined {
  return page && (page.document ??= new DOMParser().parseFromString(pageHtml(withStylesAsData(page.html)), 'text/html'))
}

function withStylesAsData(html: string): string {
  return html.replaceAll('<style', '<script type="text/css"').replaceAll('</style>', '</script>')
}
