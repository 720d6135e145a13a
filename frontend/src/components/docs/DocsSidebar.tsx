import { memo } from 'react'
import type { LibraryCard } from '../../api/generated'
import type { MenuChoice } from '../../lib/menuChoice'
import { MENU_SCRIPT } from '../../lib/bootApi'
import type { MenuLink, MenuSection } from '../../lib/docs/docsMenu'
import { containsPath } from '../../lib/docs/docsMenu'
import { paths } from '../../lib/paths'
import { Icon } from '../ui/Icon'
import { LinkMenu } from '../ui/LinkMenu'
import { SearchButton } from '../ui/SearchButton'
import { InlineScript } from '../ui/InlineScript'
import { ThemeToggle } from '../ui/ThemeToggle'
import { OpenRelease } from './OpenRelease'
import { DocsTitle } from './DocsTitle'
import { MENU_ID } from './DocsTopBar'
import { useStoredMenuGroups } from './useStoredMenuGroups'
import { AreaStyles } from '../ui/AreaStyles'
import { IconButton } from '../ui/Button'
import { AnyLink, Link } from '../ui/Link'
import { MaybeDeprecated } from '../ui/MaybeDeprecated'
import { Name } from '../ui/Name'

interface Props {
  library: LibraryCard
  version: string
  sections: MenuSection[]
  path: string
  frameworks: MenuChoice[]
  versions: MenuChoice[]
  /** The newest release, if the library has a list of releases. */
  release: string | undefined
}

/** The docs menu: a column on wide screens, else a drawer. */
export function DocsSidebar({ library, version, sections, path, frameworks, versions, release }: Props) {
  const groups = useStoredMenuGroups(library.id)
  const framework = frameworks.find((choice) => choice.current)
  return (
    <section
      id={MENU_ID}
      popover="auto"
      aria-label={library.name}
      className="docs-menu"
      // A page of a framework has the menu of that framework.
      data-shows={path.startsWith('framework/') ? undefined : framework?.key}
      suppressHydrationWarning
    >
      <div className="docs-menu-head">
        <div className="docs-menu-title">
          <DocsTitle library={library} version={version} />
          <span className="docs-menu-buttons">
            <ThemeToggle />
            <IconButton popoverTarget={MENU_ID} popoverTargetAction="hide" className="menu-close" icon="close" label="Close the menu" />
          </span>
        </div>
        <SearchButton />
        <div className="docs-menu-choices">
          {framework ? (
            <LinkMenu name="Framework" value={framework.label} chooses="framework" items={frameworks} />
          ) : null}
          <LinkMenu
            name="Version"
            value={versions.find((choice) => choice.current)?.label ?? version}
            items={versions}
          >
            {release ? (
              <>
                <AreaStyles name="open-release" />
                <OpenRelease library={library} example={release} page={path} />
                <Link to={paths.releases(library.id)}>All releases</Link>
              </>
            ) : null}
          </LinkMenu>
        </div>
      </div>
      <nav aria-label="Docs" data-menu="">
        {sections.map((section) => (
          <SidebarSection
            key={section.label}
            section={section}
            path={containsPath(section, path) ? path : null}
            open={groups[section.label]}
          />
        ))}
      </nav>
      <InlineScript script={MENU_SCRIPT} />
    </section>
  )
}

interface SidebarSectionProps {
  section: MenuSection
  /** The current page, if it is in this section. */
  path: string | null
  /** Whether the reader opened or closed it. */
  open: boolean | undefined
}

/** Memoized: a menu may have hundreds of links. */
const SidebarSection = memo(({ section, path, open = !section.collapsed || path !== null }: SidebarSectionProps) => {
  const links = (
    <ul>
      {section.links.map((link) => (
        <li key={link.href}>
          <SidebarLink link={link} current={link.path !== null && link.path === path} />
        </li>
      ))}
    </ul>
  )
  if (!section.collapsible) {
    return (
      <>
        <h2>
          <Name text={section.label} />
        </h2>
        {links}
      </>
    )
  }
  return (
    <details open={open} data-group={section.label} data-here={path === null ? undefined : ''} suppressHydrationWarning>
      <summary>
        <Name text={section.label} />
        <Icon name="chevron" />
      </summary>
      {links}
    </details>
  )
})

function SidebarLink({ link, current }: { link: MenuLink; current: boolean }) {
  return (
    <AnyLink
      to={link.href}
      aria-current={current ? 'page' : undefined}
    >
      <span>
        <MaybeDeprecated deprecated={link.deprecated}>
          <Name text={link.label} />
        </MaybeDeprecated>
      </span>
      {link.badge ? <small>{link.badge}</small> : null}
    </AnyLink>
  )
}
