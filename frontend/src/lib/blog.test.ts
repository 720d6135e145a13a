import { expect, test } from 'vitest'
import type { Post, PostSummary } from '../api/generated'
import { shell } from '../../tests/samples'
import { postMeta, formatAuthors, authorSlug, listMeta, listPosts, parsePostFilter } from './blog'

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
  [{ tag: '</script>' }, { tag: '</script>' }],
  [{ tag: 2024 }, { tag: '2024' }],
  [{ tag: ['sea'] }, {}],
  [{ tag: null }, {}],
  [{ tag: '' }, {}],
  [{ tag: 'x'.repeat(121) }, {}],
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

const tagged = (slug: string, ...names: string[]): PostSummary => ({
  ...summary(slug, ['atlas'], ['Ben']),
  tags: names.map((name) => ({ name, slug: name.toLowerCase() })),
})
const taggedPosts = [tagged('one', 'Sea'), tagged('two', 'sea', 'Moon', 'C++'), tagged('three', 'moon', 'sea'), summary('plain', ['tools'])]

test.each([
  [{ tag: 'sea' }, ['one', 'two', 'three']],
  [{ tag: 'c++' }, ['two']],
  [{ tag: 'moon', library: 'tools' }, []],
  [{ tag: 'nope' }, ['one', 'two', 'three', 'plain']],
])('the filter %j leaves %j of posts with tags', (filter, slugs) => {
  expect(listPosts(taggedPosts, filter, shell).posts.map(({ slug }) => slug)).toEqual(slugs)
})

test.each([
  [{}, ['Sea', 'Moon']],
  [{ tag: 'c++' }, ['Sea', 'Moon', 'C++']],
])('with the filter %j the tags of several posts are offered, those of most first: %j', (filter, names) => {
  expect(listPosts(taggedPosts, filter, shell).tags.map(({ name }) => name)).toEqual(names)
})

test('at most twelve tags are offered', () => {
  const names = Array.from({ length: 20 }, (_, at) => `tag ${at}`)
  const { tags } = listPosts([tagged('one', ...names), tagged('two', ...names)], {}, shell)
  expect(tags.map(({ name }) => name)).toEqual(names.slice(0, 12))
})

test('the list of a tag has a title and a description of its own', () => {
  expect(listMeta({ name: 'Sea', slug: 'sea' }, shell)).toEqual({ title: `Sea | Blog | ${shell.family}`, description: 'Posts tagged Sea.' })
  expect(listMeta(undefined, shell).title).toBe(`Blog | ${shell.family}`)
})

test('tags are keywords of the page and of its data', () => {
  const { keywords, data = [] } = postMeta({ ...post, tags: [{ name: 'Sea', slug: 'sea' }, { name: 'C++', slug: 'c++' }] }, shell)
  expect(keywords).toBe('Sea, C++')
  expect(data[0]).toMatchObject({ keywords: ['Sea', 'C++'] })
  expect(postMeta(post, shell).data?.[0]).not.toHaveProperty('keywords')
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
