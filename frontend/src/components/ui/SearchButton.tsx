import { paths } from '../../lib/paths'
import { Icon } from './Icon'
import { Link } from './Link'

/** Opens the search dialog; without a script, the link leads to the search page. */
export function SearchButton() {
  return (
    <Link to={paths.search()} data-search="" className="search-button" aria-keyshortcuts="Control+K Meta+K">
      <Icon name="search" />
      <span>Search</span>
      <kbd className="keys-mac" aria-hidden="true">
        ⌘K
      </kbd>
      <kbd className="keys-pc" aria-hidden="true">
        Ctrl K
      </kbd>
    </Link>
  )
}
