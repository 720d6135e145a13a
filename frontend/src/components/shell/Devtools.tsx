import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/Button'

// Not in the server bundle: the server never renders the panel.
const DevtoolsPanel = import.meta.env.SSR
  ? () => null
  : lazy(() => import('@tanstack/react-router-devtools').then((tools) => ({ default: tools.TanStackRouterDevtoolsInProd })))

/** The developer tools of TanStack Router, on the pages of that library. Loaded on click. */
export function Devtools() {
  const shown = useLocation({ select: ({ pathname }) => /^\/router(\/|$)/.test(pathname) })
  const [open, setOpen] = useState(false)
  if (!shown) return null
  if (open) {
    return (
      <Suspense>
        <DevtoolsPanel initialIsOpen position="bottom-right" />
      </Suspense>
    )
  }
  return (
    <Button
      size="small"
      needsScript
      className="devtools-button"
      data-needs-app=""
      onClick={() => setOpen(true)}
    >
      Router devtools
    </Button>
  )
}
