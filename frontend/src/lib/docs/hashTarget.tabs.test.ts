// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { openAround } from './hashTarget'

/** A group of two tabs with the same label, the first of which is selected. */
function tabs(name: string, first: string, second: string): string {
  const all = [first, second].map((content, at) => {
    const input = `<input type="radio" name="${name}" id="${name}-${'ab'[at]}" data-tab="other"${at ? '' : ' checked'}>`
    return `${input}<label>Other</label><div class="tab-panel">${content}</div>`
  })
  return `<fieldset class="tabs">${all.join('')}</fieldset>`
}

const shown: string[] = []

beforeEach(() => {
  shown.length = 0
  // Only what `openAround` uses.
  window.__kinfolk = { showFramework: (framework: string) => void shown.push(framework) } as typeof window.__kinfolk
})

function openTarget(html: string): string[] {
  document.body.innerHTML = html
  const target = document.getElementById('target')
  if (target) openAround(target)
  return [...document.querySelectorAll<HTMLInputElement>('input:checked')].map(({ id }) => id)
}

test('the tab of the target is selected, also where labels repeat', () => {
  expect(openTarget(tabs('x', '', '<h4 id="target"></h4>'))).toEqual(['x-b'])
})

test('tabs within tabs, and folds around and within them, are opened', () => {
  const inner = tabs('y', '', '<details><summary></summary><p id="target"></p></details>')
  expect(openTarget(`<details><summary></summary>${tabs('x', '', inner)}</details>`)).toEqual(['x-b', 'y-b'])
  expect(document.querySelectorAll('details[open]')).toHaveLength(2)
})

test('tabs beside the target stay', () => {
  expect(openTarget(`${tabs('x', '', '')}${tabs('y', '<b id="target"></b>', tabs('z', '', ''))}`)).toEqual(['x-a', 'y-a', 'z-a'])
})

test('the panel of another framework is shown', () => {
  const style = '<style>.framework-panel:not([data-default]) { display: none }</style>'
  const panel = (framework: string, inside: string) => `<section class="framework-panel" data-framework="${framework}">${inside}</section>`
  openTarget(`${style}${panel('vue', '<h2 id="target"></h2>')}`)
  expect(shown).toEqual(['vue'])
  openTarget(`${style}${panel('react', '<h2 id="target"></h2>').replace('>', ' data-default>')}`)
  expect(shown).toEqual(['vue'])
})
