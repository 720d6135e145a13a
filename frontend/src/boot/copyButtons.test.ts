// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { addCopyButtons, serveCopyButtons } from './copyButtons'

const copied: string[] = []
Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text: string) => void copied.push(text) } })
serveCopyButtons()

test('code is copied without its final newline, a shell session as its commands', async () => {
  document.body.innerHTML =
    '<div data-markup><figure class="code"><code>$ npm i\n</code></figure>' +
    '<figure class="code"><code data-copy="npm i">$ npm i\nadded</code></figure></div>'
  addCopyButtons()
  for (const button of document.querySelectorAll('button')) button.click()
  await vi.waitFor(() => expect(copied).toEqual(['$ npm i', 'npm i']))
})
