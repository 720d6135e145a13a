import type { Breadcrumb } from '../../lib/docs/docsMenu'
import { AnyLink } from './Link'
import { Name } from './Name'

/** Breadcrumbs. */
export function Breadcrumbs({ crumbs }: { crumbs: Breadcrumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="breadcrumbs">
      <ol>
        {crumbs.map(({ label, href }, at) => (
          <li key={label}>
            {at < crumbs.length - 1 ? (
              <AnyLink to={href}>
                <Name text={label} />
              </AnyLink>
            ) : (
              <span aria-current="page">
                <Name text={label} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
