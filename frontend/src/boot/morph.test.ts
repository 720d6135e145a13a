// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { morphDocument } from './morph'

function page(body: string, head = ''): Document {
  return new DOMParser().parseFromString(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`, 'text/html')
}

function show(body: string, head = ''): void {
  document.head.innerHTML = head
  document.body.innerHTML = body
}

function find(selector: string): Element {
  const element = document.querySelector(selector)
  if (!element) throw new Error(`${selector} is not in the document`)
  return element
}

beforeEach(() => show(''))

test('the body gets the markup of the next page', () => {
  show('<nav><a href="/one" aria-current="page">One</a><a href="/two">Two</a></nav><main><h1>One</h1></main>')
  const next = '<nav><a href="/one">One</a><a href="/two" aria-current="page">Two</a></nav><main><h1>Two</h1><p>Text</p></main>'
  morphDocument(page(next))
  expect(document.body.innerHTML).toBe(next)
})

test('elements that both pages have stay the same nodes', () => {
  show('<nav data-menu=""><a href="/one">One</a></nav><main><h1>One</h1></main>')
  const [menu, main] = [find('nav'), find('main')]
  morphDocument(page('<nav data-menu=""><a href="/one">One</a></nav><main><h1>Two</h1></main>'))
  expect(find('nav')).toBe(menu)
  expect(find('main')).toBe(main)
})

test('content is replaced as a whole', () => {
  show('<div data-markup=""><p>One</p></div>')
  const paragraph = find('p')
  morphDocument(page('<div data-markup=""><p>Two</p></div>'))
  expect(find('p').textContent).toBe('Two')
  expect(find('p')).not.toBe(paragraph)
})

test('elements that scripts added to the body stay after what is new', () => {
  show('<main>One</main><div data-permanent="">A dialog</div>')
  const dialog = find('[data-permanent]')
  morphDocument(page('<main>Two</main><aside>New</aside><output></output>'))
  expect(document.body.innerHTML).toBe('<main>Two</main><aside>New</aside><output></output><div data-permanent="">A dialog</div>')
  expect(find('[data-permanent]')).toBe(dialog)
})

test('children and state attributes that scripts own stay', () => {
  show('<aside class="promo" data-seen=""><span data-unmanaged=""><b>An ad</b></span><button>Resume</button></aside>')
  morphDocument(page('<aside class="promo" data-slot="footer"><span data-unmanaged=""></span><button>Hold</button></aside>'))
  expect(document.body.innerHTML).toBe(
    '<aside class="promo" data-seen="" data-slot="footer"><span data-unmanaged=""><b>An ad</b></span><button>Hold</button></aside>',
  )
})

test('an element that a script owns never becomes one that the page owns', () => {
  show('<span data-unmanaged=""><b>An ad</b></span>')
  morphDocument(page('<span>Text</span>'))
  expect(document.body.innerHTML).toBe('<span>Text</span>')
})

test('the head gets the metadata of the next page and keeps stylesheets', () => {
  show('', '<title>One</title><meta name="a" content="1"><link rel="stylesheet"><link rel="canonical" href="/one">')
  const meta = find('meta')
  morphDocument(page('', '<title>Two</title><meta name="a" content="1"><link rel="canonical" href="/two">'))
  expect(document.title).toBe('Two')
  expect(find('meta')).toBe(meta)
  expect(document.querySelectorAll('link[rel=canonical]')).toHaveLength(1)
  expect(find('link[rel=canonical]').getAttribute('href')).toBe('/two')
  expect(document.querySelectorAll('link[rel=stylesheet]')).toHaveLength(1)
})

test('the names of the next page\'s files are written where the previous ones were', () => {
  const data = '<script type="application/ld+json">{}</script>'
  show('', `<script type="application/json" data-boot="/boot.js" data-shared="/one"></script>${data}`)
  morphDocument(page('', `<script type="application/json" data-boot="/boot.js" data-shared="/two"></script>${data}`))
  const scripts = [...document.head.querySelectorAll('script')]
  expect(scripts.map(({ dataset }) => dataset.shared)).toEqual(['/two', undefined])
})
