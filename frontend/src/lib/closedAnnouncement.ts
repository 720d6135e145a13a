// Which announcement the reader closed. The root element has the attribute `data-announcement="closed"` while the page's own
// is that one. Only sites with an announcement have the script in their pages, so it is no part of the inline script.
import { CLOSED_ANNOUNCEMENT } from './storageKeys'

/** Placed before the announcement with this key: 8 hexadecimal digits. */
export function closedAnnouncementScript(key: string): string {
  return `__kinfolk.read('${CLOSED_ANNOUNCEMENT}')==='${key}'&&(document.documentElement.dataset.announcement='closed')`
}
