import type { MouseEvent } from 'react'
import type { Shell } from '../../api/generated'
import type { Kept } from '../../lib/search'
import { Icon } from '../ui/Icon'
import { LibraryMark } from '../ui/LibraryMark'

interface Props {
  name: string
  pages: readonly Kept[]
  shell: Shell
  close: (event?: MouseEvent) => void
  onRemove: (url: string) => void
  onKeep?: (page: Kept) => void
}

/** Pages to go back to. They stay in this browser. */
export function KeptPages({ name, pages, shell, close, onRemove, onKeep }: Props) {
  if (pages.length === 0) return null
  return (
    <section className="search-kept" aria-label={name}>
      <h3>{name}</h3>
      <ul>
        {pages.map((page) => {
          const library = shell.libraries.find((candidate) => candidate.id === page.library)
          return (
            <li key={page.url}>
              <a href={page.url} onClick={close}>
                {library ? <LibraryMark library={library} /> : <span className="library-mark" />}
                {page.title}
              </a>
              {onKeep ? (
                <button type="button" className="icon-button" onClick={() => onKeep(page)}>
                  <Icon name="star" />
                  <span className="sr-only">Keep {page.title} as a favourite</span>
                </button>
              ) : null}
              <button type="button" className="icon-button" onClick={() => onRemove(page.url)}>
                <Icon name="close" />
                <span className="sr-only">Forget {page.title}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
