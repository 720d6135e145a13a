// The search over any page: a native dialog, which keeps the focus inside and gives it back.
import type { MouseEvent } from 'react'
import { useLayoutEffect, useRef } from 'react'
import type { SearchConfig, Shell } from '../../api/generated'
import { withSearch } from '../../lib/search'
import { Styles } from '../ui/Styles'
import { Finder } from './Finder'

export interface DialogProps {
  shell: Shell
  /** Where to search; null while it cannot be told. */
  config: SearchConfig | null
  /** How often somebody has wanted to search: each time it opens. */
  wanted: number
}

export function SearchDialog({ shell, config, wanted }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)

  // Follows the wish to search: what opens a dialog is no markup. Before the box in it takes the focus.
  useLayoutEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
    if (!config) delete window.__kinfolk.searching
  }, [wanted, config])

  const close = (event?: MouseEvent) => {
    if (event && opensApart(event)) return
    // At once: the page that is left must not be gone back to as a search.
    forgetSearch()
    dialog.current?.close()
  }
  return (
    <dialog
      ref={dialog}
      className="search"
      aria-label="Search"
      // A click beside it closes it too, where browsers can.
      closedby="any"
      onClose={forgetSearch}
    >
      <Styles name="search" />
      <div className="search-box">
        {config ? <Finder shell={shell} config={config} wanted={wanted} close={close} /> : <Unreachable close={close} />}
      </div>
    </dialog>
  )
}

/** Whether the browser opens a link beside this page, which stays as it is. */
function opensApart({ currentTarget, metaKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return currentTarget instanceof HTMLAnchorElement && (metaKey || ctrlKey || shiftKey)
}

/** Takes the search out of the address, where it is in it. */
function forgetSearch(): void {
  const { pathname, search, hash, href } = location
  const without = withSearch(href, '', 0)
  if (without !== pathname + search + hash) history.replaceState(history.state, '', without)
}

function Unreachable({ close }: { close: () => void }) {
  return (
    <div className="search-words" role="alert">
      <h2>The search could not be reached</h2>
      <p>Close this and open it again to try once more.</p>
      <button type="button" className="button" onClick={close}>
        Close
      </button>
    </div>
  )
}
