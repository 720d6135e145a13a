import { expect, test } from 'vitest'
import { hasWords, searchedWords } from './queryWords'

test.each(['', ' ', '\u00a0\u3000', '?', '!', '"', '()', '…', '—', '🎉', '👩‍💻', '❤️', '1️⃣ #️⃣', '🇩🇪 ?'])('“%s” has no words', (query) => {
  expect(hasWords(query)).toBe(false)
})

test.each(['a', '1', '$', '_', '?.', '=>', '日', 'é', '🎉 a', 'C++', '. net'])('“%s” has words', (query) => {
  expect(hasWords(query)).toBe(true)
})

test.each([
  ['How to cancel a Query', ['cancel', 'query']],
  ['useForm validation, useForm', ['useform', 'validation']],
  ['Größe café', ['große', 'cafe']],
  ['__proto', ['proto']],
  ['how to a', []],
])('%s is searched for as %s', (query, words) => {
  expect(searchedWords(query, ['how', 'to', 'a'])).toEqual(words)
})
