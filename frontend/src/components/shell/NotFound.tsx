import type { ReactNode } from 'react'
import { paths } from '../../lib/paths'
import { messageOf, nearestOf } from '../../lib/request'
import { Main } from '../ui/Main'

interface Props {
  /** What the router was told by the one who did not find it. */
  data?: unknown
  /** What exactly is missing, instead of what the server said. */
  message?: string
  /** Ways on, instead of back and home. */
  children?: ReactNode
}

export function NotFound({ message, children, data }: Props) {
  const detail = message ? null : messageOf(data)
  const nearest = nearestOf(data)
  return (
    <Main className="notice-page">
      <h1>404 Not Found</h1>
      <p>{message ?? 'The page you are looking for does not exist.'}</p>
      {detail ? <p>{detail}</p> : null}
      {nearest.length > 0 ? (
        <nav aria-labelledby="nearest" className="nearest">
          <h2 id="nearest">Perhaps you meant</h2>
          <ul>
            {nearest.map(({ title, to }) => (
              <li key={to}>
                <a href={to}>
                  {title} <small>{to}</small>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <div className="actions">
        {children ?? (
          <>
            <button type="button" data-go-back="" className="button needs-script">
              Go back
            </button>
            <a href={paths.home()} className="button button-primary">
              Start Over
            </a>
          </>
        )}
      </div>
    </Main>
  )
}
