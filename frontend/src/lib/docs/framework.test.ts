import { expect, test } from 'vitest'
import type { Alternative } from '../../api/generated'
import { config, shell } from '../../../tests/samples'
import { currentFramework, listFrameworkChoices, findFramework, listFrameworks } from './framework'

const offered = listFrameworks(config, shell.frameworks)
const place = { library: 'atlas', version: 'latest', config }

test('frameworks are those that the server lists', () => {
  expect(offered.map((option) => option.value)).toEqual(['react', 'vue'])
})

test('an unknown framework has a label derived from its id, and the neutral logo', () => {
  const [, option] = listFrameworks({ ...config, frameworks: ['react', 'new-thing'] }, shell.frameworks)
  expect(option).toMatchObject({ label: 'New Thing', logo: 0 })
})

test.each([
  ['vue', 'react', 'vue'],
  [undefined, 'vue', 'vue'],
  [undefined, undefined, 'react'],
  [undefined, 'lit', 'react'],
  ['lit', undefined, 'react'],
])('with %s in the address and %s stored, it is %s', (inAddress, stored, current) => {
  expect(currentFramework(offered, inAddress, stored, 'react')).toBe(current)
})

test('without the first framework of the family the first one that is offered is current, and without any none', () => {
  expect(currentFramework([findFramework([], 'solid')], undefined, undefined, 'react')).toBe('solid')
  expect(currentFramework([], 'vue', 'vue', 'react')).toBeNull()
})

function vueFrom(path: string, alternatives?: Alternative[]) {
  const { href, note } = listFrameworkChoices({ ...place, path, alternatives }, offered, 'react')[1] ?? {}
  return [href, note]
}

test('changing the framework keeps the page where the other one has it', () => {
  expect(vueFrom('framework/react/guides/markers')).toEqual(['/atlas/latest/docs/framework/vue/guides/markers', null])
})

test('changing the framework leads to its first page where it has not this one, and says so', () => {
  const target = ['/atlas/latest/docs/framework/vue/install', 'opens “Install”']
  expect(vueFrom('framework/react/examples/basic')).toEqual(target)
})

test('a page that knows where it is in other frameworks leads there', () => {
  const to = '/atlas/latest/docs/framework/vue/maps'
  const path = 'framework/react/guides/markers'
  expect(vueFrom(path, [{ name: 'vue', to, title: 'Maps' }])).toEqual([to, 'opens “Maps”'])
  expect(vueFrom(path, [{ name: 'vue', to, title: null }])).toEqual([to, null])
})

test.each(['overview', 'framework/react'])('on %s a framework leads to its home', (path) => {
  expect(vueFrom(path)).toEqual(['/atlas/latest/docs/framework/vue', null])
})

test('the framework one reads is marked', () => {
  const choices = listFrameworkChoices({ ...place, path: 'overview' }, offered, 'vue')
  expect(choices.map(({ key, current }) => [key, current])).toEqual([
    ['react', false],
    ['vue', true],
  ])
})
