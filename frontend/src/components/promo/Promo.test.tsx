// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { atlas, shell } from '../../../tests/samples'
import { render } from '../../../tests/render'
import { Promo } from './Promo'
import { rotatePromos } from './rotatePromos'

const ROTATION_MS = 1000
const FAMILY = ['one', 'two', 'three', 'four'].map((id) => Object.assign({}, atlas, { id, name: id, to: `/${id}` }))
const SITE = {
  ...shell,
  libraries: FAMILY,
  promo: {
    ...shell.promo,
    rotationMs: ROTATION_MS,
    externalScripts: [],
    slots: [{ id: 'right-rail' as const, width: 300, height: 250, refreshMs: 60_000, targeting: 'rail' }],
  },
}

/** Everything that is observed is on the screen. */
class Observer {
  constructor(private readonly notify: (entries: { target: Element; isIntersecting: boolean }[]) => void) {}
  observe(target: Element) {
    this.notify([{ target, isIntersecting: true }])
  }
  unobserve() {}
}

async function promo() {
  vi.stubGlobal('IntersectionObserver', Observer)
  await render(<Promo slot="right-rail" />, { shell: SITE })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  rotatePromos(SITE)
}

function shown(): string | null {
  return screen.getByRole('complementary').querySelector('strong')?.textContent ?? null
}

function wait(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

test('another library is shown after each interval', async () => {
  await promo()
  const first = shown()
  wait(ROTATION_MS)
  expect(shown()).not.toBe(first)
  wait(ROTATION_MS)
  expect(shown()).toBe(first)
})

test('the button pauses the rotation and resumes it', async () => {
  await promo()
  const first = shown()
  fireEvent.click(screen.getByRole('button', { name: /^Pause/ }))
  wait(5 * ROTATION_MS)
  expect(shown()).toBe(first)
  fireEvent.click(screen.getByRole('button', { name: /^Resume/ }))
  wait(ROTATION_MS)
  expect(shown()).not.toBe(first)
})

test('a slot that the site does not have renders nothing', async () => {
  await render(<Promo slot="footer" />, { shell: SITE })
  expect(screen.queryByRole('complementary')).toBeNull()
})
