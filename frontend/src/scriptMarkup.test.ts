import { expect, test } from 'vitest'
import { addedMarkup } from '../scriptMarkup'

test.each([
  ['button.className = "copy"', ['copy']],
  ['make("p", { className: `field-hint small` })', ['field-hint', 'small']],
  ['root.classList.toggle("dark", isDark); root.classList.remove("x")', ['dark']],
  ['root.classList.add("a", "b")', ['a', 'b']],
  ['frame.innerHTML = `<div class="frame">${text}</div>`', ['frame']],
  ['document.querySelector(".other")', []],
])('classes of %s', (script, classes) => {
  expect([...addedMarkup(script).classes]).toEqual(classes)
})

test.each([
  ['document.createElement("dialog")', ['dialog']],
  ['make("h2", {})', ['h2']],
  ['box.innerHTML = "<p><kbd>K</kbd></p>"', ['p', 'kbd']],
])('elements of %s', (script, elements) => {
  expect([...addedMarkup(script).elements]).toEqual(elements)
})

test('a class that the build cannot read is an error', () => {
  expect(() => addedMarkup('button.className = name')).toThrow('className must be a literal')
  expect(() => addedMarkup('make("p", { className: a + b })')).toThrow('className must be a literal')
})
