import { useLocation } from '@tanstack/react-router'
import type { LibraryCard } from '../../api/generated'
import { lazy, Suspense, useRef, useState } from 'react'

// Not in the server bundle: the server never renders the panel.
const DevtoolsPanel = import.meta.env.SSR
  ? () => null
  : lazy(() => import('@tanstack/react-router-devtools').then((tools) => ({ default: tools.TanStackRouterDevtoolsInProd })))

/** Where the panel stores that it was closed. */
const STORED_OPEN = 'tanstackRouterDevtoolsOpen'

interface Props {
  libraries: readonly LibraryCard[]
}

/** The developer tools of the router, on the pages of the library that it is: a button at the end of the page opens the panel. */
export function Devtools({ libraries }: Props) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const shown = libraries.some(({ routerDevtools, to }) => routerDevtools && (path === to || path.startsWith(`${to}/`)))
  const [timesOpened, setTimesOpened] = useState(0)
  const button = useRef<HTMLButtonElement>(null)
  if (!shown) return null

  function open() {
    // The panel prefers the stored state to `initialIsOpen`.
    try {
      localStorage.removeItem(STORED_OPEN)
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
