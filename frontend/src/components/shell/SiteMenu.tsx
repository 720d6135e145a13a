import { useLocation } from '@tanstack/react-router'
import type { LibraryCard, NavLink, Shell } from '../../api/generated'
import { hue } from '../../lib/hue'
import { isExternal, paths } from '../../lib/paths'
import { Badge } from '../ui/Badge'
import { Icon } from '../ui/Icon'
import { LibraryMark } from '../ui/LibraryMark'
import { SearchButton } from '../ui/SearchButton'
import { isSocial, SocialIcon } from '../ui/SocialIcon'
import { ThemeToggle } from '../ui/ThemeToggle'

export const SITE_MENU_ID = 'site-menu'

/** The way to every library and to every page of the family: beside the page where there is room, else a drawer. */
export function SiteMenu({ shell }: { shell: Shell }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <section id={SITE_MENU_ID} popover="auto" aria-label="Site" className="site-menu" suppressHydrationWarning>
      <div className="site-menu-head">
        <div>
          <a href={paths.home()} className="brand" aria-current={path === paths.home() ? 'page' : undefined}>
            {shell.family}
          </a>
          <div>
            <ThemeToggle />
            <button type="button" popoverTarget={SITE_MENU_ID} popoverTargetAction="hide" className="icon-button menu-close">
              <Icon name="close" />
              <span className="sr-only">Close the menu</span>
            </button>
          </div>
        </div>
        <SearchButton />
      </div>
      <nav aria-label="Site">
        {shell.groups.map((group) => (
          <section key={group.id} aria-labelledby={`menu-${group.id}`}>
            <h2 id={`menu-${group.id}`}>{group.label}</h2>
            <ul>
              {group.libraries.flatMap((id) => {
                const library = shell.libraries.find((candidate) => candidate.id === id)
                return library ? [<Item key={id} library={library} path={path} />] : []
              })}
            </ul>
          </section>
        ))}
        <ul className="site-links">
          {shell.menu.map((link) => (
            <li key={link.to}>
              <MenuLink link={link} path={path} />
            </li>
          ))}
        </ul>
      </nav>
      <Social links={shell.social} />
    </section>
  )
}

/** A library; the one whose pages one reads opens its menu. */
function Item({ library, path }: { library: LibraryCard; path: string }) {
  const active = path === library.to || path.startsWith(`${library.to}/`)
  return (
    <li style={hue(library)}>
      <a href={library.to} className="library-link" aria-current={active ? 'page' : undefined}>
        <LibraryMark library={library} />
        {library.shortName}
        {library.badge ? <Badge tone={library.badge}>{library.badge}</Badge> : null}
      </a>
      {active ? (
        <ul className="library-menu">
          {library.menu.map((link) => (
            <li key={link.to}>
              <MenuLink link={link} path={path} />
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  )
}

function MenuLink({ link, path }: { link: NavLink; path: string }) {
  const here = link.to === path || path.startsWith(`${link.to}/`)
  return (
    <a href={link.to} rel={isExternal(link.to) ? 'noopener' : undefined} aria-current={here ? 'page' : undefined}>
      {link.label}
      {isExternal(link.to) ? <Icon name="out" /> : null}
    </a>
  )
}

function Social({ links }: { links: NavLink[] }) {
  return (
    <ul className="social">
      {links.flatMap(({ label, to, icon }) =>
        isSocial(icon)
          ? [
              <li key={to}>
                <a href={to} rel="noopener me" title={label}>
                  <SocialIcon name={icon} />
                  <span className="sr-only">{label}</span>
                </a>
              </li>,
            ]
          : [],
      )}
    </ul>
  )
}
