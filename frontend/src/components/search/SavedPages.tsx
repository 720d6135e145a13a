import type { MouseEvent } from 'react'
import type { SavedPage } from '../../lib/search/search'
import { LibraryLogo } from '../ui/LibraryLogo'
import { IconButton } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { Link } from '../ui/Link'
import { serverPath } from '../../lib/paths'
import { useShell } from '../ui/useShell'

interface Props {
  name: string
  pages: readonly SavedPage[]
  close: (event?: MouseEvent) => void
  onRemove: (url: string) => void
  onKeep?: (page: SavedPage) => void
}

/** Recent pages or favorites, stored in this browser. */
export function SavedPages({ name, pages, close, onRemove, onKeep }: Props) {
  const shell = useShell()
  if (pages.length === 0) return null
  return (
    <section className="saved-pages" aria-label={name}>
      <h3>{name}</h3>
      <ul>
        {pages.map((page) => {
          const library = shell.libraries.find((candidate) => candidate.id === page.library)
          return (
            <li key={page.url}>
              <Link to={serverPath(page.url)} onClick={close}>
                {library ? <LibraryLogo library={library} /> : <Icon name="note" />}
                {page.title}
              </Link>
              {onKeep ? (
                <IconButton onClick={() => onKeep(page)} icon="star" label={`Add ${page.title} to favorites`} />
              ) : null}
              <IconButton onClick={() => onRemove(page.url)} icon="close" label={`Remove ${page.title}`} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
