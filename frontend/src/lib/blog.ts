// Posts: who wrote them, what they are about, and what a post says about itself to programs.
import type { LibraryCard, Post, PostSummary, Shell } from '../api/generated'
import type { Crumb } from './menu'
import type { About } from './meta'
import { whole } from './meta'
import { paths } from './paths'
import { listInWords } from './words'

/** What the address of the list asks for; whatever it does not know is left out. */
export interface PostFilter {
  library?: string
  author?: string
}

const WORD = /^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}-]{0,79}$/u

/** The name as addresses write it: `Ada Lovelace` is `ada-lovelace`. */
export function authorSlug(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
}

/** What of a query string is worth looking at. */
export function readFilter(search: Record<string, unknown>): PostFilter {
  const { library, author } = search
  return { ...(isWord(library) ? { library } : {}), ...(isWord(author) ? { author } : {}) }
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && WORD.test(value)
}

export interface PostList {
  posts: PostSummary[]
  /** The library and the author that were asked for, when there are posts about them or of theirs. */
  library: LibraryCard | undefined
  author: string | undefined
  /** What can be asked for. */
  libraries: LibraryCard[]
  authors: string[]
}

/** The posts that a filter leaves. What no post answers to is as if it had not been asked. */
export function listPosts(all: readonly PostSummary[], { library, author }: PostFilter, shell: Shell): PostList {
  const libraries = shell.libraries.filter(({ id }) => all.some((post) => post.libraries.includes(id)))
  const authors = [...new Set(all.flatMap((post) => writers(post.authors, shell)))].toSorted()
  const about = libraries.find(({ id }) => id === library)
  const by = authors.find((name) => authorSlug(name) === author)
  const posts = all.filter(
    (post) =>
      (!about || post.libraries.includes(about.id)) && (!by || writers(post.authors, shell).includes(by)),
  )
  return { posts, library: about, author: by, libraries, authors }
}

/** Who speaks: the product where no author is named. */
export function writers(authors: readonly string[], shell: Pick<Shell, 'product'>): readonly string[] {
  return authors.length > 0 ? authors : [shell.product]
}

export function authorInWords(authors: readonly string[], shell: Pick<Shell, 'product'>): string {
  return authors.length > 1 ? `co-authored by ${listInWords(authors)}` : writers(authors, shell).join('')
}

/** The libraries of a post, in the family's order. */
export function librariesOf({ libraries }: Pick<PostSummary, 'libraries'>, shell: Shell): LibraryCard[] {
  return shell.libraries.filter(({ id }) => libraries.includes(id))
}

/** Where the blog can be subscribed to. */
export function feeds({ family }: Shell) {
  return [
    { rel: 'alternate', type: 'application/atom+xml', title: `${family} Blog (Atom)`, href: paths.atom() },
    { rel: 'alternate', type: 'application/feed+json', title: `${family} Blog (JSON Feed)`, href: paths.jsonFeed() },
  ]
}

/** Where a post stands. */
export function postWay({ slug, title }: Pick<Post, 'slug' | 'title'>): Crumb[] {
  return [
    { label: 'Home', href: paths.home() },
    { label: 'Blog', href: paths.blog() },
    { label: title, href: paths.post(slug) },
  ]
}

export function aboutPost(post: Omit<Post, 'html'>, shell: Shell): About {
  const { origin } = shell
  const canonical = paths.post(post.slug)
  const image = post.image ?? paths.postCard(post.slug)
  return {
    title: `${post.title} | Blog`,
    description: post.description,
    origin,
    canonical,
    image,
    markdown: paths.postSource(post.slug),
    type: 'article',
    author: authorInWords(post.authors, shell),
    published: post.published,
    modified: post.updated ?? post.published,
    data: [
      {
        '@type': 'Article',
        headline: post.title,
        description: post.description,
        url: origin + canonical,
        mainEntityOfPage: origin + canonical,
        image: [whole(image, origin)],
        inLanguage: 'en',
        datePublished: post.published,
        dateModified: post.updated ?? post.published,
        timeRequired: `PT${post.minutes}M`,
        author: writers(post.authors, shell).map((name) => ({
          '@type': name === shell.product || name === shell.family ? 'Organization' : 'Person',
          name,
          url: origin + paths.blog({ author: authorSlug(name) }),
        })),
        publisher: { '@type': 'Organization', name: shell.family, url: origin },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: postWay(post).map(({ label, href }, at) => ({
          '@type': 'ListItem',
          position: at + 1,
          name: label,
          item: origin + href,
        })),
      },
    ],
  }
}
