// The search dialog: a native `<dialog>`, which traps the focus and restores it.
import type { MouseEvent } from 'react'
import { useLayoutEffect, useRef } from 'react'
import type { SearchConfig } from '../../api/generated'
import { setSearchInUrl } from '../../lib/search/search'
import { SearchProvider } from './SearchProvider'

export interface SearchDialogProps {
  config: SearchConfig
  /** Counts the openings; each new value opens the dialog. */
  openCount: number
}

export function SearchDialog({ config, openCount }: SearchDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)

  // `showModal` has no declarative form. A layout effect, so that the dialog is open before its box takes the focus.
  useLayoutEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
  }, [openCount])

  const close = (event?: MouseEvent) => {
    if (event && opensNewTab(event)) return
    // Synchronously, so that the history entry of this page has no search in its URL.
    removeSearchFromUrl()
    dialog.current?.close()
  }
  return (
    <dialog
      ref={dialog}
      className="search-dialog"
      aria-label="Search"
      // A click on the backdrop closes the dialog, where browsers support it.
      closedby="any"
      onClose={removeSearchFromUrl}
    >
      <div className="search-dialog-content">
        <SearchProvider config={config} openCount={openCount} close={close} />
      </div>
    </dialog>
  )
}

/** Whether the browser opens the link in another tab or window. */
function opensNewTab({ currentTarget, metaKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return currentTarget instanceof HTMLAnchorElement && (metaKey || ctrlKey || shiftKey)
}

/** Removes the query from the URL. */
function removeSearchFromUrl(): void {
  const { pathname, search, hash, href } = location
  const without = setSearchInUrl(href, '', 0)
  if (without !== pathname + search + hash) history.replaceState(history.state, '', without)
}
