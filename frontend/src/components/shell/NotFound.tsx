import type { ReactNode } from 'react'
import { paths, serverPath } from '../../lib/paths'
import { readNotFoundMessage, readNearestPages } from '../../lib/loadPage'
import { Main } from '../ui/Main'
import { Button, LinkButton } from '../ui/Button'
import { Link } from '../ui/Link'

interface Props {
  /** The data of the router's `notFound()`. */
  data?: unknown
  /** Replaces the message of the server. */
  message?: string
  /** Links in place of "Go back" and "Start Over". */
  children?: ReactNode
}

export function NotFound({ message, children, data }: Props) {
  const detail = message ? null : readNotFoundMessage(data)
  const nearest = readNearestPages(data)
  return (
    <Main className="message-page">
      <h1>404 Not Found</h1>
      <p>{message ?? 'The page you are looking for does not exist.'}</p>
      {detail ? <p>{detail}</p> : null}
      {nearest.length > 0 ? (
        <nav aria-labelledby="nearest" className="suggestions">
          <h2 id="nearest">Perhaps you meant</h2>
          <ul>
            {nearest.map(({ title, to }) => (
              <li key={to}>
                <Link to={serverPath(to)}>
                  {title} <small>{to}</small>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <div className="actions">
        {children ?? (
          <>
            <Button data-go-back="" needsScript>
              Go back
            </Button>
            <LinkButton to={paths.home()} variant="primary">
              Start Over
            </LinkButton>
          </>
        )}
      </div>
    </Main>
  )
}
