import { expect, test } from 'vitest'
import { parseSignInSearch } from './signIn'

test.each(['/', '/query/latest?tab=a#b', '/a//b'])('the sign-in returns to the path %s of this site', (next) => {
  expect(parseSignInSearch({ next }).next).toBe(next)
})

test.each(['https://attacker.test/', '//attacker.test', '/\\attacker.test', '/a\\b', '/auth/sign-out', '/_server/x', '/a\nb', '/\u00e9', 'a', ''])(
  'the sign-in does not return to %j',
  (next) => {
    expect(parseSignInSearch({ next }).next).toBeUndefined()
  },
)
