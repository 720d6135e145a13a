// What the server knows about the names of a code block. Requested once for each block, when the reader uses it.
import type { CodeNames } from '../api/generated'
import { functionUrl } from '../api/functionUrl'
import { sitePathname } from '../boot/shownPage'
import { routedPath, withBase } from '../lib/paths'
import { dataFile, isStaticPage } from '../lib/staticSite'
import { addImportsButton } from './importsButton'
import { wrapNames } from './wrapNames'

const FUNCTION = 'docs.names'
const PAGE = /^\/([^/]+)\/([^/]+)\/docs\/(.+?)\/?$/

/** By their addresses. A visit back to a page requests nothing again. */
const answers = new Map<string, Promise<CodeNames | undefined>>()
const wrapped = new WeakSet<Element>()

/** The code block that an element is in or beside, if its names are known. */
export function blockOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? (target.closest('figure.code')?.querySelector<HTMLElement>('[data-names]') ?? null) : null
}

/** Requests the names of a block, and makes those of them elements that are not links yet. */
export async function prepareBlock(code: HTMLElement): Promise<void> {
  const known = await request(code)
  // A visit may have replaced the page.
  if (!known || wrapped.has(code) || !code.isConnected) return
  wrapped.add(code)
  wrapNames(code, known)
  addImportsButton(code, known.missingImports)
}

function request(code: HTMLElement): Promise<CodeNames | undefined> {
  const url = urlOf(code)
  if (!url) return Promise.resolve(undefined)
  let answer = answers.get(url)
  if (!answer) {
    answer = fetchNames(url)
    answers.set(url, answer)
    // Tried again at the next use.
    answer.catch(() => answers.delete(url))
  }
  return answer.catch(() => undefined)
}

function urlOf(code: HTMLElement): string | undefined {
  const [, library, version, path] = PAGE.exec(routedPath(decodeURI(sitePathname()))) ?? []
  if (!path) return undefined
  const data = { library, version, path, block: Number(code.dataset.names) }
  return isStaticPage() ? withBase(dataFile(FUNCTION, data)) : functionUrl(FUNCTION, data)
}

/** Undefined for a block that the server knows nothing about. */
async function fetchNames(url: string): Promise<CodeNames | undefined> {
  const response = await fetch(url)
  if (response.status === 404) return undefined
  if (!response.ok) throw new Error(`${url}: status ${response.status}`)
  // Written by the function registry in Python.
  const { data } = (await response.json()) as { data: CodeNames }
  return data
}
