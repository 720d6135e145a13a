import { INLINE_SCRIPT } from 'virtual:inline-script'
import { expect, test } from 'vitest'
import type { BootApi } from '../lib/bootApi'
import { FRAMEWORK_PATH } from '../lib/bootApi'

interface BrowserState {
  stored?: Record<string, string>
  cookie?: string
  darkSystem?: boolean
  path?: string
  platform?: string
  storageForbidden?: boolean
  /** Elements of the page, by selector. */
  elements?: Record<string, object[]>
}

function forbid(): never {
  throw new Error('SecurityError')
}

/** Runs the script with stubs of what it uses. */
function run(state: BrowserState = {}) {
  const { stored = {}, cookie = '', darkSystem = false, path = '/' } = state
  const { platform = 'Linux x86_64', storageForbidden = false, elements = {} } = state
  const classes = new Set<string>()
  const system = { matches: darkSystem, changed: (): void => undefined }
  const dataset: Record<string, string> = {}
  const style = { textContent: '' }
  const scope = {
    window: {} as { __kinfolk: BootApi },
    document: {
      cookie,
      documentElement: {
        dataset,
        classList: { toggle: (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name)) },
      },
      adoptedStyleSheets: [],
      dispatchEvent: () => true,
      addEventListener: () => undefined,
      getElementById: () => null,
      querySelectorAll: (query: string) => elements[query] ?? [],
    },
    location: { pathname: path },
    addEventListener: () => undefined,
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
    CSSStyleSheet: class {
      replaceSync(text: string): void {
        style.textContent = text
      }
    },
  }
  // eslint-disable-next-line typescript/no-implied-eval -- the test runs the built text as a script
  new Function(...Object.keys(scope), INLINE_SCRIPT)(...Object.values(scope))
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
])('with %j the mode is %s and dark %s', (state: BrowserState, mode, dark) => {
  const { dataset, classes } = run(state)
  expect(dataset.theme).toBe(mode)
  expect(classes.has('dark')).toBe(dark)
})

test('a change of the system theme applies until the reader has chosen a mode', () => {
  const { system, classes, kinfolk } = run()
  system.matches = true
  system.changed()
  expect(classes.has('dark')).toBe(true)
  kinfolk.setMode('light')
  system.changed()
  expect(classes.has('dark')).toBe(false)
})

test('the framework in the URL has precedence and is not stored', () => {
  const { dataset, stored } = run({ stored: { framework: 'vue' }, path: '/atlas/latest/docs/framework/solid/x' })
  expect(dataset.framework).toBe('solid')
  expect(stored.framework).toBe('vue')
})

test.each([
  ['/atlas/latest/docs/framework/solid/guides/x', 'solid'],
  ['/atlas/v1/docs/framework/my-own_2', 'my-own_2'],
  ['/atlas/latest/docs/framework', undefined],
  ['/atlas/latest/docs/framework/%22%5D', undefined],
  ['/atlas/latest/docs/overview', undefined],
])('%s is about the framework %s, for the first page and for a visit', (path, framework) => {
  expect(path.match(FRAMEWORK_PATH)?.[1]).toBe(framework)
  expect(run({ path }).dataset.framework).toBe(framework)
})

test('a page for all frameworks shows the panels of the stored framework', () => {
  const { dataset, style } = run({ stored: { framework: 'vue' }, path: '/atlas/latest/docs/overview' })
  expect(dataset.framework).toBe('vue')
  expect(style.textContent).toContain('.framework-block > [data-framework="vue"]{display:block')
})

test('an invalid framework name is not inserted into a stylesheet', () => {
  const { dataset, style } = run({ stored: { framework: 'x"]{}*{display:none}' } })
  expect(dataset.framework).toBeUndefined()
  expect(style.textContent).toBe('')
})

test('a choice lasts as long as the document where storage is forbidden', () => {
  const { kinfolk, dataset } = run({ storageForbidden: true })
  kinfolk.write('width', 'wide')
  kinfolk.applyPreferences()
  expect(dataset.width).toBe('wide')
})

test('the notice about old docs is hidden for its library until the stored time', () => {
  const stored = { 'notice:atlas': String(Date.now() + 1000), 'notice:tools': String(Date.now() - 1000) }
  expect(run({ stored, path: '/atlas/v1/docs/x' }).dataset.notice).toBe('hidden')
  expect(run({ stored, path: '/tools/v1/docs/x' }).dataset.notice).toBe('shown')
})

test('a stored tab is selected in all groups of its kind', () => {
  const inputs = ['npm', 'pnpm'].map((tab) => ({ dataset: { tab }, checked: false }))
  const elements = { '.tabs[data-tabs="package-manager"] > input': inputs }
  run({ stored: { 'tabs:package-manager': 'pnpm' }, elements })
  expect(inputs.map((input) => input.checked)).toEqual([false, true])
})

test.each([
  [{ stored: { framework: 'vue' } }, [false, true]],
  [{ path: '/atlas/latest/docs/framework/react/x' }, [true, false]],
  [{}, [false, false]],
])('with %j the frameworks of a choice are chosen like %j', (state: BrowserState, chosen) => {
  const inputs = ['react', 'vue'].map((tab) => ({ dataset: { tab }, checked: false }))
  run({ ...state, elements: { '.tabs[data-tabs="framework"] > input': inputs } })
  expect(inputs.map((input) => input.checked)).toEqual(chosen)
})

test.each([
  ['/start/latest', 'solid'],
  ['/query/latest', 'vue'],
])('on %s the framework is %s: the first library lacks the chosen one', (path, framework) => {
  expect(run({ stored: { framework: 'vue', 'framework:start': 'vue solid' }, path }).dataset.framework).toBe(framework)
})

test('a choice for one library ends with the choice of another framework', () => {
  const stored = { framework: 'react', 'framework:start': 'vue solid' }
  expect(run({ stored, path: '/start/latest' }).dataset.framework).toBe('react')
})

test('of links for several frameworks only that of the stored one is shown', () => {
  const { style } = run({ stored: { framework: 'vue' } })
  expect(style.textContent).toContain('.by-framework:has(> [data-framework="vue"]) > :not([data-framework="vue"])')
})

test('setFramework selects the framework in all groups of tabs', () => {
  const inputs = ['react', 'vue'].map((tab) => ({ dataset: { tab }, checked: false }))
  const { kinfolk } = run({ elements: { '.tabs[data-tabs="framework"] > input': inputs } })
  kinfolk.setFramework('vue')
  expect(inputs.map((input) => input.checked)).toEqual([false, true])
})

test.each([
  ['MacIntel', 'mac'],
  ['iPhone', 'mac'],
  ['iPad', 'mac'],
  ['Win32', 'pc'],
  ['Linux x86_64', 'pc'],
  ['Linux armv8l', 'pc'],
])('on %s the keys are those of a %s', (platform, keys) => {
  expect(run({ platform }).dataset.keys).toBe(keys)
})

test('stored menu groups open and close, others keep their state', () => {
  const groups = ['Start', 'Guides', 'More'].map((group) => ({ dataset: { group }, open: true }))
  const stored = { 'groups:atlas': '{"Guides":false}' }
  run({ stored, path: '/atlas/latest/docs/x', elements: { '[data-group]': groups } })
  expect(groups.map((group) => group.open)).toEqual([true, false, true])
})
