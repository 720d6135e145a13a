// Posts: filters, authors, and the head of a post.
import type { LibraryCard, Post, PostSummary, PostTag, Shell } from '../api/generated'
import type { Breadcrumb } from './docs/docsMenu'
import type { PageMeta } from './pageHead'
import { absoluteUrl } from './pageHead'
import { paths, withBase } from './paths'
import { formatList } from './format'

/** The filter in the URL of the list. */
export interface PostFilter {
  library?: string
  author?: string
  /** The slug of a tag. */
  tag?: string
}

/** Tags that the list offers; others are on their posts. */
const OFFERED_TAGS = 12
const MAX_TAG_LENGTH = 120
const FILTER_VALUE = /^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}-]{0,79}$/u

/** The name as in URLs: `Ada Lovelace` is `ada-lovelace`. */
export function authorSlug(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
}

/** Parses the filter of the list. Invalid values are ignored. */
export function parsePostFilter(search: Record<string, unknown>): PostFilter {
  const { library, author } = search
  const tag = tagValue(search['tag'])
  return {
    ...(isFilterValue(library) ? { library } : {}),
    ...(isFilterValue(author) ? { author } : {}),
    ...(tag ? { tag } : {}),
  }
}

/** A tag has characters of any kind. The router parses numbers, such as that of a year. */
function tagValue(value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? `${value}` : value
  return typeof text === 'string' && text.length <= MAX_TAG_LENGTH ? text : ''
}

function isFilterValue(value: unknown): value is string {
  return typeof value === 'string' && FILTER_VALUE.test(value)
}

export interface PostList {
  posts: PostSummary[]
  /** The library, the author and the tag of the filter, if any post has them. */
  library: LibraryCard | undefined
  author: string | undefined
  tag: PostTag | undefined
  /** The values that the filters offer. */
  libraries: LibraryCard[]
  authors: string[]
  tags: PostTag[]
}

/** Filters the posts. A value that no post has is ignored. */
export function listPosts(all: readonly PostSummary[], { library, author, tag }: PostFilter, shell: Shell): PostList {
  const libraries = shell.libraries.filter(({ id }) => all.some((post) => post.libraries.includes(id)))
  const authors = [...new Set(all.flatMap((post) => listAuthors(post.authors, shell)))].toSorted()
  const about = libraries.find(({ id }) => id === library)
  const by = authors.find((name) => authorSlug(name) === author)
  const counts = countTags(all)
  const tagged = counts.find(({ slug }) => slug === tag)
  const posts = all.filter(
    (post) =>
      (!about || post.libraries.includes(about.id)) &&
      (!by || listAuthors(post.authors, shell).includes(by)) &&
      (!tagged || post.tags?.some(({ slug }) => slug === tagged.slug)),
  )
  return { posts, library: about, author: by, tag: tagged, libraries, authors, tags: offeredTags(counts, tagged) }
}

type CountedTag = PostTag & { posts: number }

/** The tags of all posts, spelled as by the newest one, those of most posts first. */
function countTags(all: readonly PostSummary[]): CountedTag[] {
  const found = new Map<string, CountedTag>()
  for (const tag of all.flatMap(({ tags = [] }) => tags)) {
    const known = found.get(tag.slug)
    if (known) known.posts += 1
    else found.set(tag.slug, { ...tag, posts: 1 })
  }
  return [...found.values()].toSorted((a, b) => b.posts - a.posts)
}

/** The tags that several posts have, and the chosen one. */
function offeredTags(counts: readonly CountedTag[], chosen: CountedTag | undefined): PostTag[] {
  const shared = counts.filter(({ posts }) => posts > 1).slice(0, OFFERED_TAGS)
  return chosen && !shared.includes(chosen) ? [...shared, chosen] : shared
}

/** The authors; the product if none is named. */
export function listAuthors(authors: readonly string[], shell: Pick<Shell, 'product'>): readonly string[] {
  return authors.length > 0 ? authors : [shell.product]
}

export function formatAuthors(authors: readonly string[], shell: Pick<Shell, 'product'>): string {
  return authors.length > 1 ? `co-authored by ${formatList(authors)}` : listAuthors(authors, shell).join('')
}

/** The libraries of a post, in the order of data/. */
export function postLibraries({ libraries }: Pick<PostSummary, 'libraries'>, shell: Shell): LibraryCard[] {
  return shell.libraries.filter(({ id }) => libraries.includes(id))
}

/** The title and the description of the list. */
export function listMeta(tag: PostTag | undefined, shell: Shell): Pick<PageMeta, 'title' | 'description'> {
  return tag
    ? { title: `${tag.name} | Blog | ${shell.family}`, description: `Posts tagged ${tag.name}.` }
    : { title: `Blog | ${shell.family}`, description: blogDescription(shell) }
}

/** What the posts are about. */
export function blogDescription({ blogDescription: own, family }: Shell): string {
  return own ?? `Posts about ${family}.`
}

/** The feed links of the head. */
export function feedLinks({ family }: Shell) {
  return [
    { rel: 'alternate', type: 'application/atom+xml', title: `${family} Blog (Atom)`, href: withBase(paths.atom()) },
    { rel: 'alternate', type: 'application/feed+json', title: `${family} Blog (JSON Feed)`, href: withBase(paths.jsonFeed()) },
  ]
}

/** The breadcrumbs of a post. */
export function postCrumbs({ slug, title }: Pick<Post, 'slug' | 'title'>): Breadcrumb[] {
  return [
    { label: 'Home', href: paths.home() },
    { label: 'Blog', href: paths.blog() },
    { label: title, href: paths.post(slug) },
  ]
}

export function postMeta(post: Omit<Post, 'html'>, shell: Shell): PageMeta {
  const { origin } = shell
  const canonical = paths.post(post.slug)
  const image = post.image ?? paths.postCard(post.slug)
  const tags = post.tags?.map(({ name }) => name)
  return {
    title: `${post.title} | Blog`,
    description: post.description,
    ...(tags ? { keywords: tags.join(', ') } : {}),
    origin,
    canonical,
    image,
    markdown: paths.postSource(post.slug),
    type: 'article',
    author: formatAuthors(post.authors, shell),
    published: post.published,
    modified: post.updated ?? post.published,
    data: [
      {
        '@type': 'Article',
        headline: post.title,
        description: post.description,
        ...(tags ? { keywords: tags } : {}),
        url: origin + canonical,
        mainEntityOfPage: origin + canonical,
        image: [absoluteUrl(image, origin)],
        inLanguage: 'en',
        datePublished: post.published,
        dateModified: post.updated ?? post.published,
        timeRequired: `PT${post.minutes}M`,
        author: listAuthors(post.authors, shell).map((name) => ({
          '@type': name === shell.product || name === shell.family ? 'Organization' : 'Person',
          name,
          url: origin + paths.blog({ author: authorSlug(name) }),
        })),
        publisher: { '@type': 'Organization', name: shell.family, url: origin },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: postCrumbs(post).map(({ label, href }, at) => ({
          '@type': 'ListItem',
          position: at + 1,
          name: label,
          item: origin + href,
        })),
      },
    ],
  }
}
