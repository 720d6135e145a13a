import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'

// The server draws no panel, so its bundle has none.
const Panel = import.meta.env.SSR
  ? () => null
  : lazy(() => import('@tanstack/react-router-devtools').then((tools) => ({ default: tools.TanStackRouterDevtoolsInProd })))

/** The router's developer tools on the router's own pages: this site runs on it. Fetched when somebody asks for them. */
export function Devtools() {
  const shown = useLocation({ select: ({ pathname }) => /^\/router(\/|$)/.test(pathname) })
  const [open, setOpen] = useState(false)
  if (!shown) return null
  if (open) {
    return (
      <Suspense>
        <Panel initialIsOpen position="bottom-right" />
      </Suspense>
    )
  }
  return (
    <button type="button" className="button button-small devtools needs-script" onClick={() => setOpen(true)}>
      Router devtools
    </button>
  )
}
