// Closes the announcement above the page (components/shell/AnnouncementBar.tsx).
import { VISITED } from '../lib/events'
import { CONTENT_ID } from '../lib/layoutIds'
import { CLOSED_ANNOUNCEMENT } from '../lib/storageKeys'

export function closeAnnouncement(key: string): void {
  window.__kinfolk.write(CLOSED_ANNOUNCEMENT, key)
  hideClosedAnnouncement()
  // The button that had the focus is hidden.
  document.getElementById(CONTENT_ID)?.focus({ preventScroll: true })
}

/** Inline scripts do not run in the page of a visit, whose announcement may be a newer one. */
export function hideClosedAnnouncementOfVisits(): void {
  document.addEventListener(VISITED, hideClosedAnnouncement)
}

function hideClosedAnnouncement(): void {
  const { dataset } = document.documentElement
  const key = document.querySelector<HTMLElement>('[data-close-announcement]')?.dataset.closeAnnouncement
  if (key !== undefined && key === window.__kinfolk.read(CLOSED_ANNOUNCEMENT)) dataset.announcement = 'closed'
  else delete dataset.announcement
}
