import { storageKey } from '@tanstack/router-core'
import { expect, test } from 'vitest'
import type { Kinfolk } from './head'
import { FRAMEWORK_AT, HEAD_SCRIPT, SCROLLED } from './head'

interface Surroundings {
  stored?: Record<string, string>
  cookie?: string
  darkSystem?: boolean
  path?: string
  platform?: string
  storageForbidden?: boolean
  /** What a query finds in the page. */
  standing?: Record<string, object[]>
}

function forbid(): never {
  throw new Error('SecurityError')
}

/** Runs the script as a browser would, with only what it touches. */
function run(surroundings: Surroundings = {}) {
  const { stored = {}, cookie = '', darkSystem = false, path = '/' } = surroundings
  const { platform = 'Linux x86_64', storageForbidden = false, standing = {} } = surroundings
  const classes = new Set<string>()
  const system = { matches: darkSystem, changed: (): void => undefined }
  const dataset: Record<string, string> = {}
  const style = { textContent: '' }
  const scope = {
    window: {} as { __kinfolk: Kinfolk },
    document: {
      cookie,
      documentElement: {
        dataset,
        classList: { toggle: (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name)) },
      },
      createElement: () => style,
      head: { append: () => undefined },
      dispatchEvent: () => true,
      querySelectorAll: (query: string) => standing[query] ?? [],
    },
    location: { pathname: path },
    navigator: { platform },
    localStorage: {
      getItem: storageForbidden ? forbid : (key: string) => stored[key] ?? null,
      setItem: storageForbidden ? forbid : (key: string, value: string) => void (stored[key] = value),
    },
    matchMedia: () => ({
      get matches() {
        return system.matches
      },
      addEventListener: (_: string, changed: () => void) => void (system.changed = changed),
    }),
    Event,
  }
  // eslint-disable-next-line typescript/no-implied-eval -- running the text as a script is what is tested
  new Function(...Object.keys(scope), HEAD_SCRIPT)(...Object.values(scope))
  return { classes, dataset, stored, style, system, kinfolk: scope.window.__kinfolk }
}

test.each([
  [{}, 'auto', false],
  [{ darkSystem: true }, 'auto', true],
  [{ stored: { theme: 'light' }, darkSystem: true }, 'light', false],
  [{ stored: { theme: 'dark' } }, 'dark', true],
  [{ cookie: 'a=b; theme=dark' }, 'dark', true],
  [{ stored: { theme: 'light' }, cookie: 'theme=dark' }, 'light', false],
  [{ stored: { theme: 'pink' } }, 'auto', false],
  [{ storageForbidden: true, cookie: 'theme=dark' }, 'dark', true],
])('with %j the mode is %s and dark %s', (surroundings: Surroundings, mode, dark) => {
  const { dataset, classes } = run(surroundings)
  expect(dataset.theme).toBe(mode)
  expect(classes.has('dark')).toBe(dark)
})

test('a change of the system shows at once, unless the reader has chosen', () => {
  const { system, classes, kinfolk } = run()
  system.matches = true
  system.changed()
  expect(classes.has('dark')).toBe(true)
  kinfolk.setMode('light')
  system.changed()
  expect(classes.has('dark')).toBe(false)
})

test("the address's framework wins and is remembered", () => {
  const { dataset, stored } = run({ stored: { framework: 'vue' }, path: '/atlas/latest/docs/framework/solid/x' })
  expect(dataset.framework).toBe('solid')
  expect(stored.framework).toBe('solid')
})

test.each([
  ['/atlas/latest/docs/framework/solid/guides/x', 'solid'],
  ['/atlas/v1/docs/framework/my-own_2', 'my-own_2'],
  ['/atlas/latest/docs/framework', undefined],
  ['/atlas/latest/docs/framework/%22%5D', undefined],
  ['/atlas/latest/docs/overview', undefined],
])('%s is about the framework %s, for the page as it comes and for whoever turns to it', (path, framework) => {
  expect(path.match(FRAMEWORK_AT)?.[1]).toBe(framework)
  expect(run({ path }).dataset.framework).toBe(framework)
})

test('on a page for all frameworks the remembered one shows its panels', () => {
  const { dataset, style } = run({ stored: { framework: 'vue' }, path: '/atlas/latest/docs/overview' })
  expect(dataset.framework).toBe('vue')
  expect(style.textContent).toContain('.framework-block > [data-framework="vue"]{display:block')
})

test('what is no name of a framework is not put into a stylesheet', () => {
  const { dataset, style } = run({ stored: { framework: 'x"]{}*{display:none}' } })
  expect(dataset.framework).toBeUndefined()
  expect(style.textContent).toBe('')
})

test('a choice lasts as long as the page where storage is forbidden', () => {
  const { kinfolk, dataset } = run({ storageForbidden: true })
  kinfolk.write('width', 'wide')
  kinfolk.settle()
  expect(dataset.width).toBe('wide')
})

test('the notice about old docs stays hidden until its time, for its library alone', () => {
  const stored = { 'notice:atlas': String(Date.now() + 1000), 'notice:tools': String(Date.now() - 1000) }
  expect(run({ stored, path: '/atlas/v1/docs/x' }).dataset.notice).toBe('hidden')
  expect(run({ stored, path: '/tools/v1/docs/x' }).dataset.notice).toBe('shown')
})

test('a remembered tab is chosen wherever it is offered', () => {
  const inputs = ['npm', 'pnpm'].map((tab) => ({ dataset: { tab }, checked: false }))
  const standing = { '.tabs[data-tabs="package-manager"] > input': inputs }
  run({ stored: { 'tabs:package-manager': 'pnpm' }, standing })
  expect(inputs.map((input) => input.checked)).toEqual([false, true])
})

test.each([
  [{ stored: { framework: 'vue' } }, [false, true]],
  [{ path: '/atlas/latest/docs/framework/react/x' }, [true, false]],
  [{}, [false, false]],
])('with %j the frameworks of a choice are chosen like %j', (surroundings: Surroundings, chosen) => {
  const inputs = ['react', 'vue'].map((tab) => ({ dataset: { tab }, checked: false }))
  run({ ...surroundings, standing: { '.tabs[data-tabs="framework"] > input': inputs } })
  expect(inputs.map((input) => input.checked)).toEqual(chosen)
})

test('a framework that is chosen later is chosen wherever it is offered', () => {
  const inputs = ['react', 'vue'].map((tab) => ({ dataset: { tab }, checked: false }))
  const { kinfolk } = run({ standing: { '.tabs[data-tabs="framework"] > input': inputs } })
  kinfolk.setFramework('vue')
  expect(inputs.map((input) => input.checked)).toEqual([false, true])
})

test.each([
  ['MacIntel', 'mac'],
  ['iPad', 'mac'],
  ['Win32', 'pc'],
  ['Linux armv8l', 'pc'],
])('on %s the keys are those of a %s', (platform, keys) => {
  expect(run({ platform }).dataset.keys).toBe(keys)
})

test('groups open and close as the reader left them, and others stay as they are', () => {
  const groups = ['Start', 'Guides', 'More'].map((group) => ({ dataset: { group }, open: true }))
  const stored = { 'groups:atlas': '{"Guides":false}' }
  run({ stored, path: '/atlas/latest/docs/x', standing: { '[data-group]': groups } })
  expect(groups.map((group) => group.open)).toEqual([true, false, true])
})

test('how far a page was scrolled is kept where the router looks for it', () => {
  expect(SCROLLED).toBe(storageKey)
})
