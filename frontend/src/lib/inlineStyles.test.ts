// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { applyPageRules } from './inlineStyles'

test('names of rules become styles before hydration, except in HTML that React does not render', () => {
  document.head.innerHTML = '<style data-page-rules="">[data-style="top 0"]:not(#_) { top: 1px }</style>'
  document.body.innerHTML = '<p data-style="top 0"></p><div data-html="0"><i data-style="top 0"></i></div><b data-style="left 9"></b>'
  applyPageRules()
  const [p, i, b] = ['p', 'i', 'b'].map((name) => document.querySelector<HTMLElement>(name))
  expect([p?.style.top, p?.dataset.style]).toEqual(['1px', undefined])
  expect([i?.style.top, i?.dataset.style]).toEqual(['', 'top 0'])
  expect(b?.dataset.style).toBe('left 9')
})
