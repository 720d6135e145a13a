// Every address of the site, built here and nowhere else.

function segments(path: string): string {
  if (/^[\w./-]*$/.test(path)) return path // nearly all are, and a menu has hundreds
  return path.split('/').map(encodeURIComponent).join('/')
}

/** A path of docs, as written in a menu, may carry a query or a hash. */
function docs(library: string, version: string, path: string): string {
  const at = path.search(/[?#]/)
  const [file, rest] = at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at)]
  return `/${library}/${version}/docs${file ? `/${segments(file)}` : ''}${rest}`
}

export const paths = {
  home: () => '/',
  search: () => '/search',
  library: (library: string) => `/${library}`,
  version: (library: string, version: string) => `/${library}/${version}`,
  docs: (library: string, version: string, path = '') => docs(library, version, path),
  frameworks: (library: string, version: string) => docs(library, version, 'framework'),
  framework: (library: string, version: string, framework: string, path = '') =>
    docs(library, version, ['framework', framework, path].filter(Boolean).join('/')),
  example: (library: string, version: string, framework: string, name: string) =>
    docs(library, version, `framework/${framework}/examples/${name}`),
  /** All examples of a library, or of one of its frameworks. */
  examples: (library: string, version: string, framework?: string) =>
    docs(library, version, framework ? `framework/${framework}/examples` : 'examples'),
  markdown: (library: string, version: string, path: string) => `/api/md${docs(library, version, path)}`,
  /** A page as Markdown, at its own address with an ending. */
  source: (library: string, version: string, path: string) => `${docs(library, version, path)}.md`,
  /** The picture that is shown with a link to a page. */
  card: (library: string, version?: string, path?: string) =>
    `/og${version && path ? docs(library, version, path) : `/${library}`}.png`,
  postCard: (slug: string) => `/og/blog/${segments(slug)}.png`,
  siteCard: () => '/og/site.png',
  /** A page that was written for this site, by the name of its file. */
  written: (name: string) => `/${name}`,
  blog: ({ library, author }: { library?: string; author?: string } = {}) => {
    const query = new URLSearchParams({ ...(library ? { library } : {}), ...(author ? { author } : {}) }).toString()
    return query ? `/blog?${query}` : '/blog'
  },
  post: (slug: string) => `/blog/${segments(slug)}`,
  /** A post as Markdown. */
  postSource: (slug: string) => `/blog/${segments(slug)}.md`,
  atom: () => '/blog/feed.xml',
  jsonFeed: () => '/blog/feed.json',
}

/** The path inside the docs that a page's address names, or null outside of docs. */
export function docsPath(pathname: string): string | null {
  const [, , , area, ...rest] = pathname.split('/')
  return area === 'docs' ? decode(rest.filter(Boolean).join('/')) : null
}

/** The same page of another version. */
export function inVersion(pathname: string, version: string): string {
  const parts = pathname.split('/')
  parts[2] = version
  return parts.join('/')
}

export function isExternal(to: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(to)
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
