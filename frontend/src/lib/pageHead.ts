// The head of a page: title, description, Open Graph, canonical URL, JSON-LD.
import type { DetailedHTMLProps, LinkHTMLAttributes, MetaHTMLAttributes } from 'react'
import type { Shell, SitePage } from '../api/generated'
import type { Version } from './docs/version'
import { LATEST } from './docs/version'
import { paths, withBase } from './paths'

export interface PageMeta {
  title: string
  description?: string
  keywords?: string | null
  /** The public origin of the site, without a trailing slash. */
  origin: string
  /** The path of the canonical URL. */
  canonical: string
  /** The version of the library in the address. */
  version?: Pick<Version, 'name' | 'release'>
  /** Whether search engines may list the page; by default they may. */
  indexed?: boolean
  /** The Open Graph image: a path, or the URL of an image on another site. */
  image?: string
  /** The path of the same page as Markdown. */
  markdown?: string
  /** Atom feeds of what changes on the page. */
  feeds?: readonly { title: string; href: string }[]
  type?: 'website' | 'article'
  author?: string
  /** When a post was published and last changed: ISO dates. */
  published?: string
  modified?: string
  /** JSON-LD in the vocabulary of schema.org. */
  data?: readonly object[]
}

type Meta = DetailedHTMLProps<MetaHTMLAttributes<HTMLMetaElement>, HTMLMetaElement> & { 'script:ld+json'?: object }
type Link = DetailedHTMLProps<LinkHTMLAttributes<HTMLLinkElement>, HTMLLinkElement>

export function pageHead(about: PageMeta): { meta: Meta[]; links: Link[] } {
  const { title, description, keywords, origin, canonical, version, type = 'website', author, markdown, feeds = [], data = [] } = about
  const url = origin + canonical
  const image = about.image ?? paths.siteCard()
  // Twitter's own title, description and picture fall back to these.
  const named: [string, string | false | null | undefined][] = [
    ['description', description],
    ['keywords', keywords],
    ['author', author],
    ['twitter:card', 'summary_large_image'],
    // Links of a release lead to other releases, which crawlers are to leave alone.
    ['robots', version?.release || about.indexed === false ? 'noindex, nofollow' : isOlderCopy(version?.name, canonical) && 'noindex'],
  ]
  const properties: (readonly [string, string | undefined])[] = [
    ['og:type', type],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', absoluteUrl(image, origin)],
    // The size of our own images is known.
    ...(image.startsWith('/') ? ([['og:image:width', '1200'], ['og:image:height', '630']] as const) : []),
    ['og:image:alt', title],
    ['article:published_time', about.published],
    ['article:modified_time', about.modified],
  ]
  return {
    meta: [
      { title },
      ...named.flatMap(([name, content]) => (content ? [{ name, content }] : [])),
      ...properties.flatMap(([property, content]) => (content ? [{ property, content }] : [])),
      ...data.map((thing) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...thing } })),
    ],
    links: [
      { rel: 'canonical', href: url },
      ...(markdown ? [{ rel: 'alternate', type: 'text/markdown', href: withBase(markdown) }] : []),
      ...feeds.map((feed) => ({ rel: 'alternate', type: 'application/atom+xml', title: feed.title, href: withBase(feed.href) })),
    ],
  }
}

/** Whether the latest version has the page, too. Search engines take a canonical URL for a hint only, and list old versions. */
function isOlderCopy(version: string | undefined, canonical: string): boolean {
  return version !== undefined && version !== LATEST && decodeURIComponent(canonical.split('/')[2] ?? '') !== version
}

/** The URL with the site's origin if it is a path. */
export function absoluteUrl(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address
}

/** The head of a page of the site itself. */
export function prosePageHead(shell: Shell | undefined, name: string, page: SitePage | undefined) {
  if (!shell || !page) return {}
  const { title, description } = page
  return pageHead({
    title: `${title} | ${shell.family}`,
    description,
    origin: shell.origin,
    canonical: paths.page(name),
    markdown: paths.pageSource(name),
  })
}
