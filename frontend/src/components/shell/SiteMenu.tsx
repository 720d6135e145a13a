import { useLocation, useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IconShape, LandingLink, LibraryCard, NavLink, Shell } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { linkGroups } from '../../lib/linkGroups'
import { onlyLibrary } from '../../lib/onlyLibrary'
import { anyUrl, isExternal, paths, serverPath } from '../../lib/paths'
import { Badge } from '../ui/Badge'
import { FrameworkTargets } from '../ui/FrameworkTargets'
import { Icon } from '../ui/Icon'
import { LibraryLogo } from '../ui/LibraryLogo'
import { SearchButton } from '../ui/SearchButton'
import { NamedIcon } from '../ui/NamedIcon'
import { ThemeToggle } from '../ui/ThemeToggle'
import { IconButton } from '../ui/Button'
import { AnyLink, ExternalLink, Link } from '../ui/Link'
import { SiteTitle } from './SiteTitle'
import { useShell } from '../ui/useShell'

export const SITE_MENU_ID = 'Site-menu'

/** The navigation of the site: a column on wide screens, else a drawer. */
export function SiteMenu() {
  const shell = useShell()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const landingMenu = useLandingMenu()
  const isGrouped = shell.groups.length > 1
  const hasAccounts = shell.features.accounts && !shell.isStatic
  return (
    <section id={SITE_MENU_ID} popover="auto" aria-label="Site" className="site-menu" suppressHydrationWarning>
      <div className="site-menu-head">
        <div>
          <Link to={paths.home()} className="site-title" aria-current={path === paths.home() ? 'page' : undefined}>
            <SiteTitle />
          </Link>
          <div>
            <ThemeToggle />
            <IconButton popoverTarget={SITE_MENU_ID} popoverTargetAction="hide" className="menu-close" icon="close" label="Close the menu" />
          </div>
        </div>
        <SearchButton />
      </div>
      <nav aria-label="Site">
        {shell.groups.map((group) => (
          <section key={group.id} aria-labelledby={isGrouped ? `Site-menu-${group.id}` : undefined} aria-label={isGrouped ? undefined : group.label}>
            {isGrouped ? <h2 id={`Site-menu-${group.id}`}>{group.label}</h2> : null}
            <ul>
              {group.libraries.flatMap((id) => {
                const library = shell.libraries.find((candidate) => candidate.id === id)
                return library ? [<LibraryMenuItem key={id} library={library} path={path} landingMenu={landingMenu} />] : []
              })}
            </ul>
          </section>
        ))}
        {hasAccounts || shell.menu.length > 0 ? (
          <ul className="site-links">
            {hasAccounts ? <AccountLinks path={path} /> : null}
            {linkGroups(shell.menu).map(({ heading, links }, at) => (
              <MenuGroup key={links[0]?.to} heading={heading} id={`Site-menu-links-${String(at)}`}>
                {links.map((link) => (
                  <li key={link.to}>
                    <SiteMenuLink link={link} path={path} icon={shell.icons[link.icon ?? '']} />
                  </li>
                ))}
              </MenuGroup>
            ))}
          </ul>
        ) : null}
      </nav>
      <SocialLinks links={shell.social} icons={shell.icons} />
    </section>
  )
}

interface MenuGroupProps {
  heading: string | null
  id: string
  children: ReactNode
}

/** Links with their heading. Without one they are entries of the list around them. */
function MenuGroup({ heading, id, children }: MenuGroupProps) {
  if (heading === null) return children
  return (
    <li>
      <h2 id={id}>{heading}</h2>
      <ul aria-labelledby={id}>{children}</ul>
    </li>
  )
}

function AccountLinks({ path }: { path: string }) {
  return (
    <li>
      {useShell().features.signIn ? (
        <Link to={paths.login()} className="signed-out" aria-current={path === paths.login() ? 'page' : undefined}>
          Sign in
        </Link>
      ) : null}
      <Link to={paths.dashboard()} aria-current={path.startsWith(paths.dashboard()) ? 'page' : undefined}>
        Dashboard
      </Link>
    </li>
  )
}

/** The menu of a landing page, which is about one version; null on other pages. */
function useLandingMenu(): LandingLink[] | null {
  return useMatches({
    select: (matches) => {
      const data = matches.at(-1)?.loaderData
      return data && typeof data === 'object' && 'pack' in data && 'page' in data ? data.page.menu : null
    },
  })
}

interface LibraryMenuItemProps {
  library: LibraryCard
  path: string
  landingMenu: LandingLink[] | null
}

/** A library. The current one shows its menu. */
function LibraryMenuItem({ library, path, landingMenu }: LibraryMenuItemProps) {
  const isOnly = onlyLibrary(useShell()) !== undefined
  const active = isOnly || path === library.to || path.startsWith(`${library.to}/`)
  return (
    <li style={libraryColors(library)}>
      <Link to={serverPath(library.to)} className="library-link" aria-current={active ? 'page' : undefined}>
        <LibraryLogo library={library} />
        {library.shortName}
        {library.badge ? <Badge tone={library.badge}>{library.badge}</Badge> : null}
      </Link>
      {active ? (
        <ul className="library-menu">
          {landingMenu
            ? landingMenu.map(({ label, targets }) => (
                <li key={label}>
                  <FrameworkTargets targets={targets}>
                    {(to) => <SiteMenuLink link={{ label, to, icon: null }} path={path} />}
                  </FrameworkTargets>
                </li>
              ))
            : library.menu.map((link) => (
                <li key={link.to}>
                  <SiteMenuLink link={link} path={path} />
                </li>
              ))}
        </ul>
      ) : null}
    </li>
  )
}

function SiteMenuLink({ link, path, icon }: { link: NavLink; path: string; icon?: IconShape | undefined }) {
  const here = link.to === path || path.startsWith(`${link.to}/`)
  return (
    <AnyLink to={anyUrl(link.to)} aria-current={here ? 'page' : undefined}>
      {icon ? <NamedIcon shape={icon} /> : null}
      {link.label}
      {isExternal(link.to) ? <Icon name="out" /> : null}
    </AnyLink>
  )
}

function SocialLinks({ links, icons }: { links: NavLink[]; icons: Shell['icons'] }) {
  if (links.length === 0) return null
  return (
    <ul className="social-links">
      {links.flatMap(({ label, to, icon }) => {
        const shape = icons[icon ?? '']
        return shape
          ? [
              <li key={to}>
                <ExternalLink href={to} rel="noopener me" title={label}>
                  <NamedIcon shape={shape} placed />
                  <span className="sr-only">{label}</span>
                </ExternalLink>
              </li>,
            ]
          : []
      })}
    </ul>
  )
}
