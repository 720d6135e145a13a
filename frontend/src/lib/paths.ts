// Every address of the site, from the site's root. A link takes a `SitePath`, which only this module makes.

declare const site: unique symbol
declare const external: unique symbol

/** The address of something on this site: a path, or a hash on the same page. */
export type SitePath = string & { readonly [site]: true }
/** The address of another site. */
export type ExternalUrl = string & { readonly [external]: true }

function sitePath(path: string): SitePath {
  // The brand exists for the compiler only.
  return path as SitePath
}

const PREVIEW_NAME = /^pr-([1-9]\d{0,8})$/
const PREVIEW_DOCS = /^\/pr\/([^/]+)\/([1-9]\d{0,8})(?=\/docs(?:\/|$))/
const ROUTED_PREVIEW = /^\/([^/]+)\/pr-([1-9]\d{0,8})(?=\/docs(?:\/|$))/

/** Whether a version is named as the previews of pull requests are: `pr-12`. */
export function isPreviewName(version: string): boolean {
  return PREVIEW_NAME.test(version)
}

/** Whether a path is that of a page of a preview. */
export function isPreviewPath(path: string): boolean {
  return path.startsWith('/pr/')
}

/** The path by which routes know a page: `/query/pr-12/docs/x` for `/pr/query/12/docs/x`, others as they are. */
export function routedPath(path: string): string {
  return path.replace(PREVIEW_DOCS, '/$1/pr-$2')
}

/** The address of a page that routes know by this path. */
export function addressOfRouted(path: string): string {
  return path.replace(ROUTED_PREVIEW, '/pr/$1/$2')
}

let base = typeof document === 'undefined' ? '' : (document.documentElement.dataset.base ?? '')

/** Sets the path below which the site is served, such as `/docs`. In the browser, the document names it. */
export function setBase(path: string): void {
  base = path
}

export function getBase(): string {
  return base
}

/**
 * The address as a browser requests it. All other code uses paths from the site's root, which are the same wherever the site
 * is served (decisions/0023).
 */
export function withBase(to: string): string {
  return to.startsWith('/') && !to.startsWith('//') ? base + to : to
}

/** The path from the site's root of a path that the browser gives. */
export function withoutBase(pathname: string): string {
  const path = base && (pathname === base || pathname.startsWith(`${base}/`)) ? pathname.slice(base.length) : pathname
  // Hosts of an export serve the file of a folder at an address that ends with a slash.
  return path.replace(/\/$/, '') || '/'
}

/** The path of the page in the document, from the site's root. */
export function currentPath(): string {
  return withoutBase(location.pathname)
}

/** An address of this site that the server wrote, or that was read from an attribute. `kinfolk check` checks those in data. */
export const serverPath = sitePath

/** An address that data gives, of this site or of another one. */
export function anyUrl(to: string): SitePath | ExternalUrl {
  // What has a scheme leads elsewhere.
  return isExternal(to) ? (to as ExternalUrl) : sitePath(to)
}

/** As Python's `quote`: also characters that end an address in Markdown and in quoted text. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

function encodeSegments(path: string): string {
  if (/^[\w./-]*$/.test(path)) return path // the usual case; a menu has hundreds of paths
  return path.split('/').map(encodeSegment).join('/')
}

/** The path of a version: `/query/v5`, and `/pr/query/12` for the preview of a pull request. */
function versionPath(library: string, version: string): string {
  const preview = PREVIEW_NAME.exec(version)
  return preview ? `/pr/${library}/${preview[1]}` : `/${library}/${version}`
}

function docs(library: string, version: string, path: string): SitePath {
  return sitePath(`${versionPath(library, version)}/docs${path ? `/${encodeSegments(path)}` : ''}`)
}

const AFTER_PATH = /[?#].*/s

/** The path below the docs in the target of a menu's link, which is percent-encoded and may have a query or a hash. */
export function pathOfTarget(to: string): string {
  return decodePath(to.replace(AFTER_PATH, ''))
}

function withQuery(path: string, query: string): SitePath {
  return sitePath(query ? `${path}?${query}` : path)
}

/** A text that the router would parse as another value, such as `2024`, is quoted, as the router writes it. */
function textParameter(text: string): string {
  try {
    JSON.parse(text)
    return JSON.stringify(text)
  } catch {
    return text
  }
}

/** Names of packages: the `@` of a scope stays readable. */
function encodePackages(segment: string): string {
  return encodeURIComponent(segment).replaceAll('%40', '@')
}

/** The path below the docs of the list of examples, or of a page in its place. */
export const EXAMPLES = 'examples'

export const paths = {
  /** A heading or another element of the same page. */
  hash: (id: string) => sitePath(`#${id}`),
  home: () => sitePath('/'),
  /** With a query, the results for it. */
  search: (query: { q?: string; library?: string } = {}) => withQuery('/search', new URLSearchParams(query).toString()),
  /** `next` is the address to return to. */
  login: (next = '') => withQuery('/login', next ? `next=${encodeURIComponent(next)}` : ''),
  dashboard: (part = '') => sitePath(part ? `/dashboard/${part}` : '/dashboard'),
  signIn: (step: string) => sitePath(`/auth/${step}`),
  feedback: () => sitePath('/feedback'),
  upgrade: () => sitePath('/upgrade'),
  /** What is stored about the reader's account, as a file. */
  accountExport: () => sitePath('/auth/export'),
  /** Mail that is not sent, in development. */
  outbox: () => sitePath('/auth/outbox'),
  library: (library: string) => sitePath(`/${library}`),
  version: (library: string, version: string) => sitePath(versionPath(library, version)),
  /** The list of a library's releases. */
  releases: (library: string) => sitePath(`/${library}/releases`),
  /** A release with its notes. */
  release: (library: string, number: string) => sitePath(`/${library}/releases/${number}`),
  /** The Atom feed of a library's releases. */
  releasesFeed: (library: string) => sitePath(`/${library}/releases.atom`),
  /** The changes of the docs between two releases. */
  changes: (library: string, older: string, newer: string) => sitePath(`/${library}/changes/${older}...${newer}`),
  /** The changes of a page between two releases. */
  difference: (library: string, older: string, newer: string, path: string) =>
    sitePath(`/${library}/changes/${older}...${newer}/${encodeSegments(path)}`),
  /** The start page of the preview of a pull request. */
  preview: (library: string, number: number) => sitePath(`/pr/${library}/${number}`),
  docs: (library: string, version: string, path = '') => docs(library, version, path),
  /** `to` is the target of a link of the docs menu. */
  docsTarget: (library: string, version: string, to: string) =>
    sitePath(docs(library, version, pathOfTarget(to)) + (AFTER_PATH.exec(to)?.[0] ?? '')),
  frameworks: (library: string, version: string) => docs(library, version, 'framework'),
  framework: (library: string, version: string, framework: string, path = '') =>
    docs(library, version, ['framework', framework, path].filter(Boolean).join('/')),
  example: (library: string, version: string, framework: string, name: string) =>
    docs(library, version, `framework/${framework}/examples/${name}`),
  /** All examples of a library, or of one of its frameworks. */
  examples: (library: string, version: string, framework?: string) =>
    docs(library, version, framework ? `framework/${framework}/examples` : EXAMPLES),
  markdown: (library: string, version: string, path: string) => sitePath(`/api/md${docs(library, version, path)}`),
  /** A page as Markdown: its URL with `.md`. */
  source: (library: string, version: string, path: string) => sitePath(`${docs(library, version, path)}.md`),
  /** The Atom feed of a page's changes. */
  pageChanges: (library: string, version: string, path: string) => sitePath(`${docs(library, version, path)}.atom`),
  /** The Atom feed of the releases of a library that changed its docs. */
  releaseChangesFeed: (library: string) => sitePath(`/${library}/release-changes.atom`),
  /** The Atom feed of what is wrong in the code of a library's docs. */
  codeChecksFeed: (library: string) => sitePath(`/${library}/code-checks.atom`),
  /** The Atom feed of the changes of a library's latest docs. */
  libraryChanges: (library: string) => sitePath(`/${library}/changes.atom`),
  /** The Open Graph image of a page. */
  card: (library: string, version?: string, path?: string) =>
    sitePath(`/og${version && path ? docs(library, version, path) : `/${library}`}.jpg`),
  postCard: (slug: string) => sitePath(`/og/blog/${encodeSegments(slug)}.jpg`),
  siteCard: () => sitePath('/og/site.jpg'),
  /** A page of the site itself, by its name. */
  page: (name: string) => sitePath(`/${encodeSegments(name)}`),
  /** A page of the site itself as Markdown. */
  pageSource: (name: string) => sitePath(`/${encodeSegments(name)}.md`),
  /** `tag` is the slug of a tag. */
  blog: ({ library, author, tag }: { library?: string; author?: string; tag?: string } = {}) => {
    const parts = { ...(library ? { library } : {}), ...(author ? { author } : {}), ...(tag ? { tag: textParameter(tag) } : {}) }
    return withQuery('/blog', new URLSearchParams(parts).toString())
  },
  post: (slug: string) => sitePath(`/blog/${encodeSegments(slug)}`),
  /** A post as Markdown. */
  postSource: (slug: string) => sitePath(`/blog/${encodeSegments(slug)}.md`),
  atom: () => sitePath('/blog/feed.xml'),
  /** `query` is that of a comparison, without `?`. */
  statistics: (query = '') => withQuery('/stats/npm', query),
  /** A comparison by the end of its path, such as `react-vs-vue`. */
  namedStatistics: (packages: string) => sitePath(`/stats/npm/${packages.split('/').map(encodePackages).join('/')}`),
  /** The public address of a saved comparison, by its end. */
  savedStatistics: (slug: string) => sitePath(`/stats/npm/saved/${slug}`),
  statisticsEmbed: (query: string) => withQuery('/stats/npm/embed', query),
  /** A comparison as a picture, a table or a feed. A card is the picture for links on other sites. */
  statisticsFile: (format: 'svg' | 'png' | 'csv' | 'json' | 'atom', query: string, size?: 'card') =>
    withQuery(`/stats/npm.${format}`, [size ? `size=${size}` : '', query].filter(Boolean).join('&')),
  jsonFeed: () => sitePath('/blog/feed.json'),
}

/** The path inside the docs of a URL; null outside of the docs. */
export function docsPath(pathname: string): string | null {
  const [, , , area, ...rest] = pathname.split('/')
  return area === 'docs' ? decodePath(rest.filter(Boolean).join('/')) : null
}

/** The same path in another version. */
export function replaceVersion(pathname: string, version: string): SitePath {
  const parts = pathname.split('/')
  parts[2] = version
  return sitePath(parts.join('/'))
}

export function isExternal(to: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(to)
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
