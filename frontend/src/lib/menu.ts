// The docs menu: the library's own links, then the sections of its config for one framework.
import type { DocsConfig, DocsLink, DocsSection, LibraryCard, NavLink } from '../api/generated'
import { isExternal, paths } from './paths'

export interface MenuLink {
  label: string
  href: string
  /** The path inside the docs; null for links that lead elsewhere. */
  path: string | null
  badge: string | null
}

export interface MenuSection {
  label: string
  links: MenuLink[]
  collapsible: boolean
  collapsed: boolean
}

interface Place {
  library: LibraryCard
  version: string
}

/** The group every library's menu begins with. */
export function siteSection({ library, version }: Place, frameworks: number, social: readonly NavLink[]): MenuSection {
  const chat = social.find((entry) => entry.icon === 'discord')
  return {
    label: 'Menu',
    collapsible: false,
    collapsed: false,
    links: [
      siteLink('Home', paths.version(library.id, version)),
      ...(frameworks > 1 ? [{ ...siteLink('Frameworks', paths.frameworks(library.id, version)), path: 'framework' }] : []),
      siteLink('GitHub', `https://github.com/${library.repo}`),
      ...(chat ? [siteLink(chat.label, chat.to)] : []),
    ],
  }
}

function siteLink(label: string, href: string): MenuLink {
  return { label, href, path: null, badge: null }
}

/** What was made of a config, kept as long as it: all pages of a library and framework have the same menu. */
const made = new WeakMap<DocsConfig, Map<string, MenuSection[]>>()

/** The sections with something to show for this framework: first what concerns all, then its own. */
export function docsSections(place: Place, config: DocsConfig, framework: string | null): MenuSection[] {
  const menus = made.get(config) ?? new Map<string, MenuSection[]>()
  made.set(config, menus)
  const key = `${place.library.id} ${place.version} ${framework}`
  const sections = menus.get(key) ?? makeSections(place, config, framework)
  menus.set(key, sections)
  return sections
}

function makeSections(place: Place, config: DocsConfig, framework: string | null): MenuSection[] {
  return config.sections
    .map((section) => ({
      label: section.label,
      collapsible: section.collapsible,
      collapsed: section.collapsible && section.defaultCollapsed,
      links: [
        ...section.children.flatMap((link) => menuLink(place, link, null)),
        // Its name tells a framework's pages from those for everybody; where all are its own it would be noise.
        ...frameworkLinks(section, framework).flatMap((link) =>
          menuLink(place, link, section.children.length > 0 ? framework : null),
        ),
      ],
    }))
    .filter((section) => section.links.length > 0)
}

function frameworkLinks(section: DocsSection, framework: string | null): DocsLink[] {
  return section.frameworks.filter((entry) => entry.label === framework).flatMap((entry) => entry.children)
}

function menuLink({ library, version }: Place, link: DocsLink, framework: string | null): MenuLink[] {
  const { label } = link
  const badge = link.badge ?? framework
  // A bare hash is a heading somebody wrote as a link.
  if (!link.to || link.to.startsWith('#')) return []
  if (isExternal(link.to)) return [{ label, href: link.to, path: null, badge }]
  const to = link.to.replace(/^(\.?\/)+/, '').replace(/\.md(?=$|[?#])/, '')
  return [{ label, href: paths.docs(library.id, version, to), path: to.replace(/[?#].*/, ''), badge }]
}

export interface Neighbours {
  previous: MenuLink | null
  next: MenuLink | null
}

/** The pages before and after this one in the menu; neither for a page that is not in it. */
export function neighbours(sections: readonly MenuSection[], path: string): Neighbours {
  const pages = sections.flatMap((section) => section.links).filter((link) => link.path !== null)
  const at = pages.findIndex((link) => link.path === path)
  if (at < 0) return { previous: null, next: null }
  return { previous: pages[at - 1] ?? null, next: pages[at + 1] ?? null }
}

export interface Crumb {
  label: string
  href: string
}

/** The way to a page: its library, the section of the menu that has it, itself. */
export function crumbs(place: Place, sections: readonly MenuSection[], path: string, title: string): Crumb[] {
  const { library, version } = place
  const home = { label: library.name, href: paths.version(library.id, version) }
  const page = { label: title, href: paths.docs(library.id, version, path) }
  const section = sections.find((candidate) => holds(candidate, path))
  const first = section?.links.find((link) => link.path !== null)
  return section && first ? [home, { label: section.label, href: first.href }, page] : [home, page]
}

export function holds(section: MenuSection, path: string): boolean {
  return section.links.some((link) => link.path === path)
}
