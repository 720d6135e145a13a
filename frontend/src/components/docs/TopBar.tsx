import type { LibraryCard } from '../../api/generated'
import { paths } from '../../lib/paths'
import { Foreign } from '../ui/Foreign'
import { Icon } from '../ui/Icon'
import { Brand } from './Brand'

export const MENU_ID = 'docs-menu'
export const OUTLINE_ID = 'on-this-page'

interface Props {
  family: string
  library: LibraryCard
  version: string
}

/** Where there is no room for the menu or the outline beside the text, they are opened from here. */
export function TopBar({ family, library, version }: Props) {
  return (
    <header className="docs-bar">
      <button type="button" popoverTarget={MENU_ID} className="icon-button menu-button">
        <Icon name="menu" />
        <span className="sr-only">Menu</span>
      </button>
      <Brand family={family} library={library} version={version} />
      <a href={paths.search()} data-search="" className="icon-button">
        <Icon name="search" />
        <span className="sr-only">Search</span>
      </a>
      <button type="button" popoverTarget={OUTLINE_ID} className="outline-button">
        <Icon name="list" />
        On this page
        <Foreign data-reading="" aria-hidden="true" />
        <Icon name="chevron" />
      </button>
    </header>
  )
}
