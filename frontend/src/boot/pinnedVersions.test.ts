// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { pinnedAddress } from './pinnedVersions'

const PINS: Record<string, string> = { 'pin:query': 'v4', 'pin:table': 'vue@8.2.0', 'pin:form': '' }

beforeEach(() => {
  window.__kinfolk = { ...window.__kinfolk, base: '/site', read: (key) => PINS[key] }
})

function addressOf(href: string, attributes = ''): string {
  document.body.innerHTML = `<nav ${attributes}><a href="${href}">x</a></nav>`
  const link = document.querySelector('a')
  return link ? pinnedAddress(link).replace(location.origin, '') : ''
}

test.each([
  ['/site/query/latest/docs/guides/caching?from=x#part', '/site/query/v4/docs/guides/caching?from=x#part'],
  ['/site/query/latest/docs', '/site/query/v4/docs'],
  ['/site/table/latest/docs/overview', '/site/table/vue@8.2.0/docs/overview'],
  // Not the latest docs.
  ['/site/query/v5/docs/guides/caching', ''],
  ['/site/query/latest', ''],
  ['/site/query/latest/docsets', ''],
  ['/site/blog/query/latest/docs', ''],
  // Not pinned.
  ['/site/form/latest/docs/overview', ''],
  ['/site/router/latest/docs/overview', ''],
])('%s leads to %s', (href, to) => {
  expect(addressOf(href)).toBe(to)
})

test('links that are about a version keep it', () => {
  expect(addressOf('/site/query/latest/docs', 'data-keeps-version')).toBe('')
})
