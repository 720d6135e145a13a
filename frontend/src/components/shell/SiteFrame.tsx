import type { ReactNode } from 'react'
import type { Shell } from '../../api/generated'
import { paths } from '../../lib/paths'
import { Icon } from '../ui/Icon'
import { Styles } from '../ui/Styles'
import { SITE_MENU_ID, SiteMenu } from './SiteMenu'
import { SiteFooter } from './SiteFooter'

/** The libraries layout: the family's navigation beside every page outside the docs, its footer below. */
export function SiteFrame({ shell, children }: { shell: Shell; children: ReactNode }) {
  return (
    <div className="site">
      <Styles name="frame" />
      <header className="site-bar">
        <button type="button" popoverTarget={SITE_MENU_ID} className="icon-button">
          <Icon name="menu" />
          <span className="sr-only">Menu</span>
        </button>
        <a href={paths.home()} className="brand">
          {shell.family}
        </a>
        <a href={paths.search()} data-search="" className="icon-button">
          <Icon name="search" />
          <span className="sr-only">Search</span>
        </a>
      </header>
      <SiteMenu shell={shell} />
      <div className="site-page">
        {children}
        <SiteFooter shell={shell} />
      </div>
    </div>
  )
}
