import type { LibraryCard } from '../../api/generated'
import { paths } from '../../lib/paths'
import { UnmanagedSpan } from '../ui/UnmanagedSpan'
import { Icon } from '../ui/Icon'
import { DocsTitle } from './DocsTitle'
import { IconButton, IconLink } from '../ui/Button'

export const MENU_ID = 'Site-docs-menu'
export const TABLE_OF_CONTENTS_ID = 'Site-outline'

interface Props {
  library: LibraryCard
  version: string
}

/** The bar of narrow screens, with buttons for the menu, the search and the table of contents. */
export function DocsTopBar({ library, version }: Props) {
  return (
    <header className="docs-bar">
      <IconButton popoverTarget={MENU_ID} icon="menu" label="Menu" />
      <DocsTitle library={library} version={version} />
      <IconLink to={paths.search()} data-search="" icon="search" label="Search" />
      <button type="button" popoverTarget={TABLE_OF_CONTENTS_ID} className="toc-button">
        <Icon name="list" />
        On this page
        <UnmanagedSpan data-reading="" aria-hidden="true" />
        <Icon name="chevron" />
      </button>
    </header>
  )
}
