import type { MouseEvent } from 'react'
import { FAVORITES, removeSavedPage, MAX_FAVORITES, RECENT, addSavedPage } from '../../lib/search/search'
import { SavedPages } from './SavedPages'
import { SearchIntroduction } from './SearchIntroduction'
import { useSavedPages } from './useSavedPages'

interface Props {
  examples: readonly string[]
  onTry: (query: string) => void
  close: (event?: MouseEvent) => void
  /** Called when a saved page, and the clicked button with it, is removed. */
  onRemoved: () => void
}

/** The content of the dialog before the reader types: an introduction and saved pages. */
export function SearchStart({ examples, onTry, close, onRemoved }: Props) {
  const [recent, changeRecent] = useSavedPages(RECENT)
  const [favorites, changeFavorites] = useSavedPages(FAVORITES)
  return (
    <>
      <SearchIntroduction examples={examples} onTry={onTry} />
      <SavedPages
        name="Favorites"
        pages={favorites}
        close={close}
        onRemove={(url) => {
          changeFavorites((old) => removeSavedPage(old, url))
          onRemoved()
        }}
      />
      <SavedPages
        name="Recent"
        pages={recent.filter(({ url }) => favorites.every((other) => other.url !== url))}
        close={close}
        onKeep={(page) => {
          changeFavorites((old) => addSavedPage(old, page, MAX_FAVORITES))
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
