import { beforeAll, expect, test } from 'vitest'
import { html, ok } from '../tests/renderPage'
import { shell } from '../tests/samples'
import { init } from './entry.server'

const STYLES = '<link rel="stylesheet" href="/assets/announcement.css" data-precedence="area"/>'

beforeAll(() => init(JSON.stringify({ boot: '/assets/boot.js', css: '/assets/site.css', styles: { announcement: '/assets/announcement.css' } })))

function open(url: string, text: string, href: string | null = null): Promise<string> {
  return html(url, { 'site.shell': () => ok({ ...shell, announcement: { key: '0a1b2c3d', text, href } }) })
}

test.each(['/', '/atlas/latest/docs/overview', '/blog', '/nope'])('%s begins with the announcement', async (url) => {
  const document = await open(url, 'Atlas 2 is out')
  expect(document).toContain(STYLES)
  const [before = '', after = ''] = document.split('<aside aria-label="Announcement" class="announcement">')
  expect(before).toContain("<script>__kinfolk.read('announcement')==='0a1b2c3d'&&")
  expect(before).not.toContain('<header')
  expect(after).toMatch(/^<p dir="auto">Atlas 2 is out<\/p><button type="button" class="icon-button needs-script" data-close-announcement="0a1b2c3d">/)
  expect(after).toContain('<span class="sr-only">Close the announcement</span>')
})

test('the text of an announcement is a link to its address', async () => {
  expect(await open('/blog', 'Read it', '/atlas')).toContain('<p dir="auto"><a href="/atlas">Read it</a></p>')
  expect(await open('/blog', 'Read it', 'https://x.example')).toContain('<p dir="auto"><a href="https://x.example" rel="noopener">Read it</a></p>')
})

test('the text of an announcement is no markup', async () => {
  const document = await open('/blog', '<img src=x onerror=alert(1)> &amp; </p>')
  expect(document).toContain('<p dir="auto">&lt;img src=x onerror=alert(1)&gt; &amp;amp; &lt;/p&gt;</p>')
})

test('pages without an announcement have no bytes of it', async () => {
  const document = await html('/stats/npm')
  expect(document).not.toContain('nnouncement.css')
  expect(document).not.toContain('closed')
  // The ids that React makes depend on the number of children of the body.
  expect((await open('/stats/npm', 'Atlas 2 is out')).match(/id="_Site-[^"]*"/g)).toEqual(document.match(/id="_Site-[^"]*"/g))
})

test('the frame of other sites has no announcement', async () => {
  expect(await open('/sponsors-embed', 'Atlas 2 is out')).not.toContain('Atlas 2 is out')
})
