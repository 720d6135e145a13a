import { expect, test } from 'vitest'
import { linkGroups } from './linkGroups'

function link(label: string, group: string | null = null) {
  return { label, to: `/${label}`, icon: null, group }
}

test('adjacent links with one heading are a group', () => {
  const groups = linkGroups([link('a'), link('b', 'More'), link('c', 'More'), link('d'), link('e', 'More')])
  expect(groups.map(({ heading, links }) => [heading, links.map(({ label }) => label)])).toEqual([
    [null, ['a']],
    ['More', ['b', 'c']],
    [null, ['d']],
    ['More', ['e']],
  ])
})
