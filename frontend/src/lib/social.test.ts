import { expect, test } from 'vitest'
import { findChat, findCodeHost } from './social'

const github = { label: 'GitHub', to: 'https://github.com/acme', icon: 'github' }
const matrix = { label: 'Matrix', to: 'https://matrix.to/#/#acme', icon: 'matrix' }
const other = { label: 'Blog', to: 'https://acme.example', icon: null }

test('finds the chat and the code host by their icons', () => {
  expect(findChat([other, github, matrix])).toBe(matrix)
  expect(findCodeHost([other, matrix, github])).toBe(github)
})

test('finds nothing among other accounts', () => {
  expect(findChat([other, github])).toBeUndefined()
  expect(findCodeHost([other, matrix])).toBeUndefined()
})
