import { expect, test } from 'vitest'
import type { StylePiece } from '../stylePieces'
import { stylePieces } from '../stylePieces'

const needs = (css: string, ...dynamic: string[]) => stylePieces(css, (token) => dynamic.includes(token)).map((piece) => (typeof piece === 'object' && 'of' in piece ? piece.of : piece))

function text(pieces: StylePiece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return 'of' in piece ? `${piece.of.map(([, selector]) => selector).join(',')}{${piece.body}}` : `${piece.group}{${text(piece.pieces)}}`
    })
    .join('')
}

test('a rule needs the classes and elements of each of its selectors', () => {
  expect(needs('.docs>.menu a:hover,p{color:red}')).toEqual([
    [
      [[['.docs'], ['.menu'], ['a']], '.docs>.menu a:hover'],
      [[['p']], 'p'],
    ],
  ])
})

test.each([
  ['.a:not(.b){}', [['.a']]],
  ['.a:is(.b,td.c){}', [['.a'], ['.b', '.c']]],
  ['.a:has(>.b){}', [['.a'], ['.b']]],
  // The second one needs nothing.
  ['.a:is(.b,:hover){}', [['.a']]],
  ['[data-callout=note]{}', [['data-callout="note"']]],
  ['[data-theme=dark] [open]{}', []],
  ['::backdrop{}', []],
])('%s needs %j', (css, clauses) => {
  expect(needs(css)).toEqual([[[clauses, css.slice(0, -2)]]])
})

test('what scripts can add is not needed', () => {
  expect(needs('.a .copy{}', '.copy')).toEqual([[[[['.a']], '.a .copy']]])
  expect(needs('.a:is(.b,.copy){}', '.copy')).toEqual([[[[['.a']], '.a:is(.b,.copy)']]])
})

test('an animation needs what the rules with it need', () => {
  const css = '@keyframes turn{to{rotate:1turn}}.a{animation:1s turn}.b{animation:turn-around}.c{animation-name:turn}'
  expect(needs(css)[0]).toEqual([[[['.a', '.c']], '@keyframes turn']])
  expect(needs(`${css}:root{animation:turn}`)[0]).toEqual([[[], '@keyframes turn']])
})

test('an italic face needs elements in italics', () => {
  const [[[clauses]]] = needs('@font-face{font-family:A;font-style:italic}') as [[[string[][], string]]]
  expect(clauses[0]).toContain('em')
  expect(needs('@font-face{font-family:A}')).toEqual([[[[], '@font-face']]])
})

test('all pieces together are the stylesheet', () => {
  const css = '@layer base,components;@layer base{*,p{margin:0}@media (width>=1rem){.a{color:red;b{top:0}}}}@keyframes x{to{top:0}}'
  expect(text(stylePieces(css, () => false))).toBe(css)
})
