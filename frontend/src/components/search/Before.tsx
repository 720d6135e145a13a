import type { MouseEvent } from 'react'
import type { Shell } from '../../api/generated'
import { FAVOURITES, forget, MOST_FAVOURITES, RECENT, remember } from '../../lib/search'
import { KeptPages } from './KeptPages'
import { useKept } from './useKept'
import { Words } from './Words'

interface Props {
  shell: Shell
  close: (event?: MouseEvent) => void
  /** A page is not where it was any more, and neither is the button that did it. */
  onGone: () => void
}

/** What stands here before anything is typed: what this is for, and pages to go back to. */
export function Before({ shell, close, onGone }: Props) {
  const [recent, changeRecent] = useKept(RECENT)
  const [favourites, changeFavourites] = useKept(FAVOURITES)
  return (
    <>
      <Words title="Search the product" text="Start typing to search through our documentation, guides, and more." />
      <KeptPages
        name="Favourites"
        pages={favourites}
        shell={shell}
        close={close}
        onRemove={(url) => {
          changeFavourites((old) => forget(old, url))
          onGone()
        }}
      />
      <KeptPages
        name="Recent"
        pages={recent.filter(({ url }) => favourites.every((other) => other.url !== url))}
        shell={shell}
        close={close}
        onKeep={(kept) => {
          changeFavourites((old) => remember(old, kept, MOST_FAVOURITES))
          onGone()
        }}
        onRemove={(url) => {
          changeRecent((old) => forget(old, url))
          onGone()
        }}
      />
    </>
  )
}
