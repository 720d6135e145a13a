import { beforeAll, expect, test } from 'vitest'
import { init } from './entry.server'
import { html, ok } from '../tests/renderPage'
import { post } from '../tests/samples'

beforeAll(() => init(JSON.stringify({ boot: '/assets/boot.js', css: '/assets/site.css', styles: { 'post-tags': '/assets/post-tags.css' } })))

const hostile = ['<script>alert(1)</script>', `'"><img src=x onerror=alert(1)>`, '</script><!--', 'javascript:alert(1)', 'x'.repeat(40)]
const tags = hostile.map((name) => ({ name, slug: name.replaceAll(' ', '-') }))

test.each([
  ['/blog', 'https://acme.example/blog'],
  [`/blog?tag=${encodeURIComponent(tags[0]?.slug ?? '')}`, 'https://acme.example/blog'],
  ['/blog/one', 'https://acme.example/blog/one'],
])('tags are text and links at %s', async (address, canonical) => {
  const one = { ...post, description: '', updated: null, image: null, html: '', extraStyles: false, headings: [], previous: null, next: null, tags }
  const document = await html(address, { 'blog.list': () => ok([{ ...post, tags }]), 'blog.post': () => ok(one) })
  expect(document).toContain(`<link rel="canonical" href="${canonical}"/>`)
  expect(document).toContain('/assets/post-tags.css')
  expect(document).not.toMatch(/<script>alert|<img src=x|<\/script><!--|href="javascript/)
  for (const { slug } of tags) expect(document).toContain(`href="/blog?${new URLSearchParams({ tag: slug })}"`)
})

test('a list without tags has neither their styles nor a filter', async () => {
  const document = await html('/blog')
  expect(document).not.toMatch(/tags|post-tags/)
})
