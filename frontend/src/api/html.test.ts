// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'

type Rules = Parameters<TrustedTypePolicyFactory['createPolicy']>[1]

async function policies(): Promise<Map<string, Rules>> {
  const created = new Map<string, Rules>()
  vi.stubGlobal('trustedTypes', {
    createPolicy: (name: string, rules: Rules) => {
      created.set(name, rules)
      return { createHTML: (html: string) => `trusted ${rules.createHTML?.(html)}` }
    },
  })
  vi.resetModules()
  const { Html } = await import('./html')
  expect(new Html('<p>Hello</p>').inner).toEqual({ __html: 'trusted <p>Hello</p>' })
  return created
}

test('only text, data and own scripts pass without a policy of their own', async () => {
  const rules = (await policies()).get('default')
  expect(['', 'a & b', '<script></script>'].map((html) => rules?.createHTML?.(html))).toEqual(['', 'a & b', '<script></script>'])
  expect(['<img>', '<script>a()</script>'].map((html) => rules?.createHTML?.(html))).toEqual([null, null])
  expect(['{"@type":"Article"}', 'a()'].map((text) => rules?.createScript?.(text))).toEqual(['{"@type":"Article"}', null])
  const addresses = ['/assets/a.js', 'https://attacker.test/a.js', 'data:text/javascript,a()']
  expect(addresses.map((url) => rules?.createScriptURL?.(url))).toEqual(['/assets/a.js', null, null])
})
