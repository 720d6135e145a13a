import { rootRouteId, useMatch, useRouterState } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useEffect } from 'react'
import { paths } from '../../lib/paths'
import { Main } from '../ui/Main'

/** The generic error page. Its buttons are served by the starter, so they work even when this app does not. */
export function RouteError({ error }: { error: unknown }): ReactElement {
  const match = useMatch({ strict: false })
  const atHome = useRouterState({ select: (state) => state.location.pathname === paths.home() })
  useEffect(() => {
    console.error(error)
  }, [error])
  const family = 'shell' in match.context ? match.context.shell.family : ''
  return (
    <Main className="notice-page">
      <h1>Something went wrong</h1>
      <pre tabIndex={0}>
        {error instanceof Error ? error.message : String(error)}
      </pre>
      <div className="actions">
        <button type="button" data-retry="" className="button button-primary">
          Try Again
        </button>
        {atHome || match.id === rootRouteId ? (
          <a href={paths.home()} className="button">
            {`${family} Home`.trim()}
          </a>
        ) : (
          <a href={paths.home()} data-go-back="" className="button">
            Go Back
          </a>
        )}
      </div>
    </Main>
  )
}
