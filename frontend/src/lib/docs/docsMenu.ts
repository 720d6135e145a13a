// The docs menu: the library's own links, then the sections of its config for one framework.
import type { DocsNavigation, DocsLink, DocsSection, LibraryCard, NavLink } from '../../api/generated'
import type { ExternalUrl, SitePath } from '../paths'
import { anyUrl, isExternal, pathOfTarget, paths } from '../paths'
import { findChat } from '../social'

export interface MenuLink {
  label: string
  href: SitePath | ExternalUrl
  /** The path inside the docs; null for links to other targets. */
  path: string | null
  badge: string | null
  /** A line about a deprecated page. */
  deprecated?: string | undefined
}

export interface MenuSection {
  label: string
  links: MenuLink[]
  collapsible: boolean
  collapsed: boolean
}

interface LibraryVersion {
  library: LibraryCard
  version: string
}

/** The first section of every library's menu. */
export function librarySection({ library, version }: LibraryVersion, frameworks: number, social: readonly NavLink[]): MenuSection {
  const chat = findChat(social)
  return {
    label: 'Menu',
    collapsible: false,
    collapsed: false,
    links: [
      libraryLink('Home', paths.version(library.id, version)),
      ...(frameworks > 1 ? [{ ...libraryLink('Frameworks', paths.frameworks(library.id, version)), path: 'framework' }] : []),
      ...(library.repoLinks ? [libraryLink(library.repoLinks.host, anyUrl(library.repoLinks.home))] : []),
      ...(chat ? [libraryLink(chat.label, anyUrl(chat.to))] : []),
    ],
  }
}

function libraryLink(label: string, href: MenuLink['href']): MenuLink {
  return { label, href, path: null, badge: null }
}

/** Cache by config: all pages of a library and framework have the same menu. */
const sectionCache = new WeakMap<DocsNavigation, Map<string, MenuSection[]>>()

/** The sections that have links for this framework: first the common ones, then its own. */
export function docsSections(place: LibraryVersion, config: DocsNavigation, framework: string | null): MenuSection[] {
  const menus = sectionCache.get(config) ?? new Map<string, MenuSection[]>()
  sectionCache.set(config, menus)
  const key = `${place.library.id} ${place.version} ${framework}`
  const sections = menus.get(key) ?? buildSections(place, config, framework)
  menus.set(key, sections)
  return sections
}

function buildSections(place: LibraryVersion, config: DocsNavigation, framework: string | null): MenuSection[] {
  return config.sections
    .map((section) => ({
      label: section.label,
      collapsible: section.collapsible,
      collapsed: section.collapsible && section.defaultCollapsed,
      links: [
        ...section.children.flatMap((link) => buildMenuLink(place, link, null, config.deprecated)),
        // The badge marks a framework's own pages in sections that also have common ones.
        ...frameworkLinks(section, framework).flatMap((link) =>
          buildMenuLink(place, link, section.children.length > 0 ? framework : null, config.deprecated),
        ),
      ],
    }))
    .filter((section) => section.links.length > 0)
}

function frameworkLinks(section: DocsSection, framework: string | null): DocsLink[] {
  return section.frameworks.filter((entry) => entry.label === framework).flatMap((entry) => entry.children)
}

function buildMenuLink(
  { library, version }: LibraryVersion,
  link: DocsLink,
  framework: string | null,
  deprecated: DocsNavigation['deprecated'],
): MenuLink[] {
  const { label } = link
  const badge = link.badge ?? framework
  // Some configs write a heading as a link with a bare hash.
  if (!link.to || link.to.startsWith('#')) return []
  if (isExternal(link.to)) return [{ label, href: anyUrl(link.to), path: null, badge }]
  const to = link.to.replace(/^(\.?\/)+/, '').replace(/\.md(?=$|[?#])/, '')
  return [{ label, href: paths.docsTarget(library.id, version, to), path: pathOfTarget(to), badge, deprecated: deprecated?.[pathOfTarget(to)] }]
}

export interface AdjacentPages {
  previous: MenuLink | null
  next: MenuLink | null
}

/** The pages before and after this one in the menu; null for a page that is not in it. */
export function findAdjacentPages(sections: readonly MenuSection[], path: string): AdjacentPages {
  const pages = sections.flatMap((section) => section.links).filter((link) => link.path !== null)
  const at = pages.findIndex((link) => link.path === path)
  if (at < 0) return { previous: null, next: null }
  return { previous: pages[at - 1] ?? null, next: pages[at + 1] ?? null }
}

export interface Breadcrumb {
  label: string
  href: SitePath | ExternalUrl
}

/** The breadcrumbs of a page: library, section, page. */
export function listCrumbs(place: LibraryVersion, sections: readonly MenuSection[], path: string, title: string): Breadcrumb[] {
  const { library, version } = place
  const home = { label: library.name, href: paths.version(library.id, version) }
  const page = { label: title, href: paths.docs(library.id, version, path) }
  const section = sections.find((candidate) => containsPath(candidate, path))
  const first = section?.links.find((link) => link.path !== null)
  return section && first ? [home, { label: section.label, href: first.href }, page] : [home, page]
}

export function containsPath(section: MenuSection, path: string): boolean {
  return section.links.some((link) => link.path === path)
}
