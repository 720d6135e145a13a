import { paths } from '../../lib/paths'
import { Icon } from './Icon'

/** The way to the search: the starter opens it in place, the link leads to its page. */
export function SearchButton() {
  return (
    <a href={paths.search()} data-search="" className="search-button" aria-keyshortcuts="Control+K Meta+K">
      <Icon name="search" />
      <span>Search</span>
      <kbd className="keys-mac" aria-hidden="true">
        ⌘K
      </kbd>
      <kbd className="keys-pc" aria-hidden="true">
        Ctrl K
      </kbd>
    </a>
  )
}
