import { rootRouteId, useMatch, useRouterState } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useEffect } from 'react'
import { paths } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
import { Main } from '../ui/Main'
import { Button, LinkButton } from '../ui/Button'
import { RequestId } from './RequestId'

/** The generic error page. The boot script serves its buttons, so they work without the app. */
export function RouteError({ error }: { error: unknown }): ReactElement {
  const match = useMatch({ strict: false })
  const atHome = useRouterState({ select: (state) => state.location.pathname === paths.home() })
  useEffect(() => {
    console.error(error)
  }, [error])
  const family = 'shell' in match.context ? match.context.shell.family : ''
  return (
    <Main className="message-page">
      <AreaStyles name="message-page" />
      <h1>Something went wrong</h1>
      <pre tabIndex={0}>
        {error instanceof Error ? error.message : String(error)}
      </pre>
      <RequestId error={error} />
      <div className="actions">
        <Button data-retry="" variant="primary">
          Try Again
        </Button>
        {atHome || match.id === rootRouteId ? (
          <LinkButton to={paths.home()}>
            {`${family} Home`.trim()}
          </LinkButton>
        ) : (
          <LinkButton to={paths.home()} data-go-back="">
            Go Back
          </LinkButton>
        )}
      </div>
    </Main>
  )
}
