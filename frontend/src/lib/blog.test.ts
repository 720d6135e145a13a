import { expect, test } from 'vitest'
import type { Post, PostSummary } from '../api/generated'
import { shell } from '../../tests/samples'
import { postMeta, formatAuthors, authorSlug, listPosts, parsePostFilter } from './blog'

const summary = (slug: string, libraries: string[], authors: string[] = []): PostSummary => ({
  slug,
  title: slug,
  published: '2026-11-21',
  excerpt: '',
  authors,
  libraries,
  cover: [],
  minutes: 1,
  draft: false,
})

const posts = [
  summary('maps', ['atlas'], ['Ada Lovelace']),
  summary('both', ['tools', 'atlas'], ['Ben', 'Ada Lovelace']),
  summary('site', []),
]

const post: Omit<Post, 'html'> = {
  slug: 'maps',
  title: 'On maps',
  description: 'About them.',
  published: '2026-11-21',
  updated: null,
  authors: ['Ada Lovelace', 'Sample'],
  libraries: ['atlas'],
  cover: [],
  minutes: 4,
  draft: false,
  image: null,
  headings: [],
      extraStyles: false,
  previous: null,
  next: null,
}

test.each([
  ['Ada Lovelace', 'ada-lovelace'],
  ['Zoë  Ångström-Müller', 'zoe-angstrom-muller'],
  ['李雷', '李雷'],
])('%s is %s in an address', (name, slug) => {
  expect(authorSlug(name)).toBe(slug)
})

test.each([
  [{ library: 'atlas', author: 'ben', more: 1 }, { library: 'atlas', author: 'ben' }],
  [{ library: 'Atlas' }, {}],
  [{ library: 7, author: ['ben'] }, {}],
  [{ library: '../x', author: '' }, {}],
  [{ author: '李雷' }, { author: '李雷' }],
  [{ author: 'x'.repeat(81) }, {}],
])('of the query %j, %j is looked at', (search, filter) => {
  expect(parsePostFilter(search)).toEqual(filter)
})

test.each([
  [{}, ['maps', 'both', 'site']],
  [{ library: 'atlas' }, ['maps', 'both']],
  [{ library: 'tools' }, ['both']],
  [{ author: 'ben' }, ['both']],
  [{ author: 'sample' }, ['site']],
  [{ library: 'tools', author: 'ada-lovelace' }, ['both']],
  [{ library: 'tools', author: 'sample' }, []],
  [{ library: 'nope', author: 'unknown' }, ['maps', 'both', 'site']],
])('the filter %j leaves %j', (filter, slugs) => {
  expect(listPosts(posts, filter, shell).posts.map(({ slug }) => slug)).toEqual(slugs)
})

test('only what has posts can be chosen', () => {
  const { libraries, authors } = listPosts(posts.slice(0, 1), {}, shell)
  expect(libraries.map(({ id }) => id)).toEqual(['atlas'])
  expect(authors).toEqual(['Ada Lovelace'])
})

test.each([
  [[], 'Sample'],
  [['Ann'], 'Ann'],
  [['Ann', 'Ben'], 'co-authored by Ann and Ben'],
])('the author of a post by %j is %s', (authors: string[], words) => {
  expect(formatAuthors(authors, shell)).toBe(words)
})

test('a post tells programs who wrote it, when, and where it stands', () => {
  const { title, author, image, data = [] } = postMeta(post, shell)
  expect([title, author, image]).toEqual([
    'On maps | Blog',
    'co-authored by Ada Lovelace and Sample',
    '/og/blog/maps.jpg',
  ])
  expect(data).toMatchObject([
    {
      '@type': 'Article',
      datePublished: '2026-11-21',
      dateModified: '2026-11-21',
      image: ['https://acme.example/og/blog/maps.jpg'],
      author: [
        { '@type': 'Person', name: 'Ada Lovelace', url: 'https://acme.example/blog?author=ada-lovelace' },
        { '@type': 'Organization', name: 'Sample' },
      ],
    },
    { '@type': 'BreadcrumbList', itemListElement: [{ position: 1 }, { position: 2 }, { position: 3, name: 'On maps' }] },
  ])
})

test('a picture of its own takes the place of the drawn one', () => {
  const { data = [] } = postMeta({ ...post, image: 'https://pictures.example/map.png' }, shell)
  expect(data[0]).toMatchObject({ image: ['https://pictures.example/map.png'] })
})
