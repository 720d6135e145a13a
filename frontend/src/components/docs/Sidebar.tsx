import { memo } from 'react'
import type { LibraryCard, Shell } from '../../api/generated'
import type { Choice } from '../../lib/choice'
import { MENU_SCRIPT } from '../../lib/head'
import type { MenuLink, MenuSection } from '../../lib/menu'
import { holds } from '../../lib/menu'
import { isExternal } from '../../lib/paths'
import { Icon } from '../ui/Icon'
import { LinkMenu } from '../ui/LinkMenu'
import { SearchButton } from '../ui/SearchButton'
import { Settle } from '../ui/Settle'
import { ThemeToggle } from '../ui/ThemeToggle'
import { Brand } from './Brand'
import { MENU_ID } from './TopBar'
import { useStoredGroups } from './useStoredGroups'

interface Props {
  shell: Shell
  library: LibraryCard
  version: string
  sections: MenuSection[]
  path: string
  frameworks: Choice[]
  versions: Choice[]
}

/** The docs menu: beside the text where there is room, else what the top bar's button opens. */
export function Sidebar({ shell, library, version, sections, path, frameworks, versions }: Props) {
  const groups = useStoredGroups(library.id)
  const framework = frameworks.find((choice) => choice.current)
  return (
    <section
      id={MENU_ID}
      popover="auto"
      aria-label={library.name}
      className="docs-menu"
      data-shows={framework?.key}
      suppressHydrationWarning
    >
      <div className="menu-head">
        <div className="flex items-center justify-between gap-2">
          <Brand family={shell.family} library={library} version={version} />
          <span className="flex items-center gap-2">
            <ThemeToggle />
            <button type="button" popoverTarget={MENU_ID} popoverTargetAction="hide" className="icon-button menu-close">
              <Icon name="close" />
              <span className="sr-only">Close the menu</span>
            </button>
          </span>
        </div>
        <SearchButton />
        <div className="flex gap-2">
          {framework ? (
            <LinkMenu name="Framework" value={framework.label} chooses="framework" items={frameworks} />
          ) : null}
          <LinkMenu
            name="Version"
            value={versions.find((choice) => choice.current)?.label ?? version}
            items={versions}
          />
        </div>
      </div>
      <nav aria-label="Docs" data-menu="">
        {sections.map((section) => (
          <Section
            key={section.label}
            section={section}
            path={holds(section, path) ? path : null}
            open={groups[section.label]}
          />
        ))}
      </nav>
      <Settle script={MENU_SCRIPT} />
    </section>
  )
}

interface SectionProps {
  section: MenuSection
  /** The page one reads, if it is here. */
  path: string | null
  /** What the reader made of it earlier. */
  open: boolean | undefined
}

/** Drawn again only when the reader comes or goes: a menu may have hundreds of links. */
const Section = memo(({ section, path, open = !section.collapsed || path !== null }: SectionProps) => {
  const links = (
    <ul>
      {section.links.map((link) => (
        <li key={link.href}>
          <Item link={link} current={link.path !== null && link.path === path} />
        </li>
      ))}
    </ul>
  )
  if (!section.collapsible) {
    return (
      <>
        <h2>{section.label}</h2>
        {links}
      </>
    )
  }
  return (
    <details open={open} data-group={section.label} data-here={path === null ? undefined : ''} suppressHydrationWarning>
      <summary>
        {section.label}
        <Icon name="chevron" />
      </summary>
      {links}
    </details>
  )
})

function Item({ link, current }: { link: MenuLink; current: boolean }) {
  return (
    <a
      href={link.href}
      rel={isExternal(link.href) ? 'noopener' : undefined}
      aria-current={current ? 'page' : undefined}
    >
      <span>{link.label}</span>
      {link.badge ? <small>{link.badge}</small> : null}
    </a>
  )
}
