import type { ReactNode } from 'react'
import { paths } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
import { SITE_MENU_ID, SiteMenu } from './SiteMenu'
import { SiteFooter } from './SiteFooter'
import { IconButton, IconLink } from '../ui/Button'
import { Link } from '../ui/Link'
import { SiteTitle } from './SiteTitle'

/** The layout outside the docs: site navigation, content, footer. */
export function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <div className="site">
      <AreaStyles name="site-layout" />
      <header className="site-bar">
        <IconButton popoverTarget={SITE_MENU_ID} icon="menu" label="Menu" />
        <Link to={paths.home()} className="site-title">
          <SiteTitle />
        </Link>
        <IconLink to={paths.search()} data-search="" icon="search" label="Search" />
      </header>
      <SiteMenu />
      <div className="site-page">
        {children}
        <SiteFooter />
      </div>
    </div>
  )
}
