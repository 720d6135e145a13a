// What a page says about itself to search engines, to those who share it and to programs that read Markdown.
import type { DetailedHTMLProps, LinkHTMLAttributes, MetaHTMLAttributes } from 'react'
import type { Shell, SitePage } from '../api/generated'
import { paths } from './paths'

export interface About {
  title: string
  description?: string
  keywords?: string | null
  /** The public address of the site, without a slash at the end. */
  origin: string
  /** The path under which search engines should know the page. */
  canonical: string
  /** The picture shown with links to it: a path, or the whole address of somebody else's. */
  image?: string
  /** The path of the same page as Markdown. */
  markdown?: string
  type?: 'website' | 'article'
  author?: string
  /** When a post was published and last changed: ISO dates. */
  published?: string
  modified?: string
  /** What it is in the words of schema.org. */
  data?: readonly object[]
}

type Meta = DetailedHTMLProps<MetaHTMLAttributes<HTMLMetaElement>, HTMLMetaElement> & { 'script:ld+json'?: object }
type Link = DetailedHTMLProps<LinkHTMLAttributes<HTMLLinkElement>, HTMLLinkElement>

export function head(about: About): { meta: Meta[]; links: Link[] } {
  const { title, description, keywords, origin, canonical, type = 'website', author, markdown, data = [] } = about
  const url = origin + canonical
  const image = about.image ?? paths.siteCard()
  // Twitter's own title, description and picture fall back to these.
  const named: [string, string | null | undefined][] = [
    ['description', description],
    ['keywords', keywords],
    ['author', author],
    ['twitter:card', 'summary_large_image'],
  ]
  const properties: (readonly [string, string | undefined])[] = [
    ['og:type', type],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', whole(image, origin)],
    // Of our own pictures only.
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
      ...(markdown ? [{ rel: 'alternate', type: 'text/markdown', href: markdown }] : []),
    ],
  }
}

/** An address with the site's own in front, where it is a path. */
export function whole(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address
}

/** Of a page that was written for this site. */
export function writtenHead(shell: Shell | undefined, name: string, page: SitePage | undefined) {
  if (!shell || !page) return {}
  const { title, description } = page
  return head({ title: `${title} | ${shell.family}`, description, origin: shell.origin, canonical: paths.written(name) })
}
