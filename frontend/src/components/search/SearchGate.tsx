// Stands on every page once the app is there, and fetches the search when somebody comes near it.
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Shell } from '../../api/generated'
import { SEARCH_WANTED } from '../../lib/events'
import { paths } from '../../lib/paths'
import { searchIn } from '../../lib/search'

const fetchDialog = () => import('./SearchDialog')
// The server draws none, so its bundle has none.
const Dialog = import.meta.env.SSR
  ? () => null
  : lazy(() =>
      fetchDialog().then(
        ({ SearchDialog }) => ({ default: SearchDialog }),
        () => ({ default: Elsewhere }),
      ),
    )

/** Where the dialog cannot be fetched, its page answers; the page one reads must not break for it. */
function Elsewhere() {
  useEffect(() => location.assign(paths.search()), [])
  return <></>
}

export function SearchGate({ shell }: { shell: Shell }) {
  // Once it was opened it stays, with what was typed.
  const [wanted, setWanted] = useState(0)

  // Follows the starter, which hears keys and buttons before this app is there, and remembers that they were heard.
  useEffect(() => {
    const open = (event?: Event) => {
      event?.preventDefault()
      setWanted((times) => times + 1)
    }
    // A failure shows when the dialog is wanted.
    const warm = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[data-search]')) void fetchDialog().catch(() => undefined)
    }
    document.addEventListener(SEARCH_WANTED, open)
    document.addEventListener('pointerover', warm, { passive: true })
    document.addEventListener('focusin', warm)
    const asked = location.pathname !== '/search' && searchIn(location.search).query !== ''
    if (window.__kinfolk.searching !== undefined || asked) open()
    return () => {
      document.removeEventListener(SEARCH_WANTED, open)
      document.removeEventListener('pointerover', warm)
      document.removeEventListener('focusin', warm)
    }
  }, [])

  return wanted > 0 ? (
    <Suspense>
      <Dialog shell={shell} wanted={wanted} />
    </Suspense>
  ) : null
}
