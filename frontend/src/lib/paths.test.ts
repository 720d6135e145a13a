import { expect, test } from 'vitest'
import { docsPath, replaceVersion, isExternal, paths, setBase, withBase, withoutBase } from './paths'

const SITE_MAP = {
  home: paths.home(),
  library: paths.library('atlas'),
  version: paths.version('atlas', 'latest'),
  docs: paths.docs('atlas', 'latest'),
  core: paths.docs('atlas', 'v1', 'guide/$a b#c?d%(\'*!)'),
  menu: paths.docsTarget('atlas', 'v1', 'guide/$a b%23c%3Fd%25?e#f'),
  frameworks: paths.frameworks('atlas', 'latest'),
  framework: paths.framework('atlas', 'latest', 'vue'),
  frameworkDoc: paths.framework('atlas', 'latest', 'vue', 'guides/markers'),
  example: paths.example('atlas', 'latest', 'vue', 'basic'),
  blog: paths.blog(),
  post: paths.post('hello-world'),
}

test('this is the site map', () => {
  expect(SITE_MAP).toMatchInlineSnapshot(`
    {
      "blog": "/blog",
      "core": "/atlas/v1/docs/guide/%24a%20b%23c%3Fd%25%28%27%2A%21%29",
      "docs": "/atlas/latest/docs",
      "example": "/atlas/latest/docs/framework/vue/examples/basic",
      "framework": "/atlas/latest/docs/framework/vue",
      "frameworkDoc": "/atlas/latest/docs/framework/vue/guides/markers",
      "frameworks": "/atlas/latest/docs/framework",
      "home": "/",
      "library": "/atlas",
      "menu": "/atlas/v1/docs/guide/%24a%20b%23c%3Fd%25?e#f",
      "post": "/blog/hello-world",
      "version": "/atlas/latest",
    }
  `)
  expect(paths.markdown('atlas', 'v1', 'guide/x')).toBe('/api/md/atlas/v1/docs/guide/x')
})

test.each([
  ['sea', '/blog?tag=sea'],
  ['c++', '/blog?tag=c%2B%2B'],
  ['2024', '/blog?tag=%222024%22'],
  ['1.0', '/blog?tag=%221.0%22'],
  ['"><script>', '/blog?tag=%22%3E%3Cscript%3E'],
  ['日本語', '/blog?tag=%E6%97%A5%E6%9C%AC%E8%AA%9E'],
])('the posts with the tag %s are at %s', (tag, address) => {
  expect(paths.blog({ tag })).toBe(address)
})

test('a docs page knows its path inside the docs', () => {
  expect(docsPath('/atlas/latest/docs/guide/a%20b')).toBe('guide/a b')
  expect(docsPath('/atlas/latest/docs/')).toBe('')
  expect(docsPath('/atlas/latest')).toBeNull()
})

test('a path that is not properly encoded stays as it is', () => {
  expect(docsPath('/atlas/latest/docs/%E0%A4%A')).toBe('%E0%A4%A')
})

test('another version has the same page at the same place', () => {
  expect(replaceVersion('/atlas/latest/docs/framework/vue/install', 'v1')).toBe('/atlas/v1/docs/framework/vue/install')
  expect(replaceVersion('/atlas/v1', 'latest')).toBe('/atlas/latest')
})

test.each([
  ['https://a.example', true],
  ['//a.example', true],
  ['mailto:a@a.example', true],
  ['guide/x', false],
  ['/guide', false],
])('%s leads otherAddress: %s', (to, otherAddress) => {
  expect(isExternal(to)).toBe(otherAddress)
})

test('addresses for browsers have the base path once, and lose it again', () => {
  setBase('/docs')
  try {
    expect(['/query', '#top', 'https://example.com/', '//example.com/x'].map(withBase)).toEqual([
      '/docs/query',
      '#top',
      'https://example.com/',
      '//example.com/x',
    ])
    expect(['/docs/query', '/docs', '/docs/', '/docsearch', '/docs/docs'].map(withoutBase)).toEqual(['/query', '/', '/', '/docsearch', '/docs'])
  } finally {
    setBase('')
  }
})
