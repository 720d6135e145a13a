// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { showPageRules } from './pageRules'

function page(rules: string): Document {
  const next = document.implementation.createHTMLDocument()
  // As `pageCache.ts` parses a page.
  next.head.innerHTML = rules && `<script type="text/css" data-page-rules>${rules}</script>`
  return next
}

function adoptedRules(): string[] {
  return document.adoptedStyleSheets.flatMap(({ cssRules }) => Array.from(cssRules, ({ cssText }) => cssText.replaceAll(/\s/g, '')))
}

test('rules of the next page replace those of the document', () => {
  document.head.innerHTML = '<style data-page-rules="">[data-style="top 0"] { top: 0 }</style>'
  showPageRules(page('[data-style="top 0"] { top: 1px }'))
  expect(adoptedRules().join('')).toContain('top:1px')
  expect(document.querySelector('style')).toBeNull()
  showPageRules(page(''))
  expect(adoptedRules()).toEqual([])
})
