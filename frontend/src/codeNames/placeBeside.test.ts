// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { placeBeside } from './placeBeside'

/** An element with a box; happy-dom lays nothing out. */
function boxed(x: number, y: number, width: number, height: number): HTMLElement {
  const element = document.createElement('div')
  const box = new DOMRect(x, y, width, height)
  element.getBoundingClientRect = () => box
  // A list that has what the function uses.
  element.getClientRects = () => [box] as unknown as DOMRectList
  return element
}

function place(target: [number, number], size: [number, number], window: [number, number]): [boolean, string, string, string] {
  Object.assign(globalThis, { innerHeight: window[1] })
  Object.defineProperty(document.documentElement, 'clientWidth', { value: window[0], configurable: true })
  const placed = boxed(0, 0, ...size)
  const isVisible = placeBeside(placed, boxed(...target, 60, 20))
  return [isVisible, placed.style.left, placed.style.top, placed.style.maxHeight]
}

test('is below its target, or above where is more room', () => {
  expect(place([100, 100], [300, 200], [1280, 800])).toEqual([true, '100px', '126px', '200px'])
  expect(place([100, 700], [300, 200], [1280, 800])).toEqual([true, '100px', '494px', '200px'])
})

test('stays within a small window', () => {
  expect(place([350, 300], [374, 500], [390, 600])).toEqual([true, '8px', '8px', '286px'])
})

test('is not shown for a target outside of the window', () => {
  expect(place([100, -50], [300, 200], [1280, 800])[0]).toBe(false)
  expect(place([100, 900], [300, 200], [1280, 800])[0]).toBe(false)
})
