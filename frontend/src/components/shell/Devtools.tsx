import { useMatches } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState } from 'react'
import { findMatchedLibrary } from '../../lib/matchedLibrary'

// Not in the server bundle: the server never renders the panel.
const DevtoolsPanel = import.meta.env.SSR
  ? () => null
  : lazy(() => import('./RouterDevtools').then(({ RouterDevtools }) => ({ default: RouterDevtools })))

/** The end of the key under which the panel stores that it was closed. */
const STORED_OPEN = 'RouterDevtoolsOpen'

/** The developer tools of the router, on the pages of libraries with `devtools`: a button at the end of the page opens the panel. */
export function Devtools() {
  const shown = useMatches({ select: (matches) => findMatchedLibrary(matches)?.devtools ?? false })
  const [timesOpened, setTimesOpened] = useState(0)
  const button = useRef<HTMLButtonElement>(null)
  if (!shown) return null

  function open() {
    // The panel prefers the stored state to `initialIsOpen`.
    try {
      for (const key of Object.keys(localStorage)) if (key.endsWith(STORED_OPEN)) localStorage.removeItem(key)
    } catch {
      // Nothing is stored.
    }
    setTimesOpened((times) => times + 1)
  }

  return (
    <aside aria-label="Developer tools" className="devtools needs-script">
      <button type="button" ref={button} data-needs-app="" onClick={open}>
        Router devtools
      </button>
      {timesOpened > 0 ? (
        <Suspense>
          <DevtoolsPanel
            key={timesOpened}
            initialIsOpen
            containerElement="div"
            closeButtonProps={{ onClick: () => button.current?.focus() }}
            toggleButtonProps={{ style: { display: 'none' } }}
          />
        </Suspense>
      ) : null}
    </aside>
  )
}
