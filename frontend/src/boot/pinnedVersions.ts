// Links to the latest docs of a library lead to the version that the reader pinned, where that has the page.
import { PINNED_VERSION } from '../lib/storageKeys'
import { fetchPage } from './pageCache'
import { sitePathname } from './shownPage'

const LATEST_DOCS = /^\/([^/]+)\/latest\/docs(?![^/])/
/** Links that are about a version: in the version menu, in notices, on the upgrade page. */
const KEEPS_VERSION = '[data-keeps-version]'

/** The address of a link's page in the pinned version; empty for any other link. */
export function pinnedAddress(link: HTMLAnchorElement): string {
  const library = LATEST_DOCS.exec(sitePathname(link))?.[1]
  const version = library && window.__kinfolk.read(PINNED_VERSION + library)
  return !version || link.closest(KEEPS_VERSION) ? '' : link.href.replace(`/${library}/latest/`, `/${library}/${version}/`)
}

/** Makes a link lead to its page in the pinned version, if that has the page. A visit reuses the element meanwhile for another link. */
export async function leadToPinned(link: HTMLAnchorElement): Promise<HTMLAnchorElement> {
  const { href } = link
  const pinned = pinnedAddress(link)
  if (pinned && (await fetchPage(pinned)) && link.href === href) link.href = pinned
  return link
}
