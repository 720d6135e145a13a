// Links to the latest docs of a library lead to the version that the reader pinned, where that has the page.
import { PINNED_VERSION } from '../lib/storageKeys'
import { fetchPage } from './pageCache'
import { sitePathname } from './shownPage'

const LATEST_DOCS = /^\/([^/]+)\/latest(\/docs(?:\/.*)?)$/
/** Links that are about a version: in the version menu, in notices, on the upgrade page. */
const KEEPS_VERSION = '[data-keeps-version]'

/** The address of a link's page in the pinned version; empty for any other link. */
export function pinnedAddress(link: HTMLAnchorElement): string {
  const [, library = '', path = ''] = LATEST_DOCS.exec(sitePathname(link)) ?? []
  const version = library && window.__kinfolk.read(PINNED_VERSION + library)
  if (!version || link.closest(KEEPS_VERSION)) return ''
  const url = new URL(link.href)
  url.pathname = `${window.__kinfolk.base}/${library}/${version}${path}`
  return url.href
}

/** Makes a link lead to its page in the pinned version, if that has the page. `href` is the address of the link until then. */
export async function leadToPinned(link: HTMLAnchorElement, href: string, pinned: string): Promise<HTMLAnchorElement> {
  if (pinned && (await fetchPage(pinned)) && link.href === href) link.href = pinned
  return link
}
