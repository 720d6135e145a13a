import type { MouseEvent } from 'react'
import { FAVORITES, removeSavedPage, MAX_FAVORITES, RECENT, addSavedPage } from '../../lib/search'
import { SavedPages } from './SavedPages'
import { useSavedPages } from './useSavedPages'
import { EmptyState } from './EmptyState'

interface Props {
  close: (event?: MouseEvent) => void
  /** Called when a saved page, and the clicked button with it, is removed. */
  onRemoved: () => void
}

/** The content of the dialog before the reader types: an introduction and saved pages. */
export function SearchStart({ close, onRemoved }: Props) {
  const [recent, changeRecent] = useSavedPages(RECENT)
  const [favourites, changeFavourites] = useSavedPages(FAVORITES)
  return (
    <>
      <EmptyState title="Search the product" text="Start typing to search through our documentation, guides, and more." />
      <SavedPages
        name="Favourites"
        pages={favourites}
        close={close}
        onRemove={(url) => {
          changeFavourites((old) => removeSavedPage(old, url))
          onRemoved()
        }}
      />
      <SavedPages
        name="Recent"
        pages={recent.filter(({ url }) => favourites.every((other) => other.url !== url))}
        close={close}
        onKeep={(page) => {
          changeFavourites((old) => addSavedPage(old, page, MAX_FAVORITES))
          onRemoved()
        }}
        onRemove={(url) => {
          changeRecent((old) => removeSavedPage(old, url))
          onRemoved()
        }}
      />
    </>
  )
}
