// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { openPage, storage } from '../../tests/emptyPage'
import { closedAnnouncementScript } from '../lib/closedAnnouncement'
import { VISITED } from '../lib/events'
import { closeAnnouncement, hideClosedAnnouncementOfVisits } from './announcementBar'

openPage()
hideClosedAnnouncementOfVisits()

/** Shows a page with the announcement of a key, as a visit does. */
function visit(key: string | null): void {
  document.body.innerHTML = `${key === null ? '' : `<button data-close-announcement="${key}"></button>`}<main id="Site-content" tabindex="-1"></main>`
  document.dispatchEvent(new Event(VISITED))
}

function state(): string | undefined {
  return document.documentElement.dataset.announcement
}

beforeEach(() => {
  storage.clear()
  visit('0a1b2c3d')
})

test('an announcement stays closed on other pages until there is another one', () => {
  expect(state()).toBeUndefined()
  closeAnnouncement('0a1b2c3d')
  expect([state(), document.activeElement?.id]).toEqual(['closed', 'Site-content'])
  visit('0a1b2c3d')
  expect(state()).toBe('closed')
  visit('ffffffff')
  expect(state()).toBeUndefined()
})

test('a page without an announcement has no state of it', () => {
  closeAnnouncement('0a1b2c3d')
  visit(null)
  expect(state()).toBeUndefined()
})

test.each([
  ['0a1b2c3d', 'closed'],
  ['ffffffff', undefined],
  [undefined, undefined],
])('with %s stored, the script before the bar makes its state %s', (stored, expected) => {
  if (stored) storage.set('announcement', stored)
  // eslint-disable-next-line typescript/no-implied-eval -- the test runs the script of a page
  new Function('__kinfolk', closedAnnouncementScript('0a1b2c3d'))(window.__kinfolk)
  expect(state()).toBe(expected)
})
