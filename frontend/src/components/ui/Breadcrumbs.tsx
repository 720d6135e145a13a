import type { Breadcrumb } from '../../lib/docsMenu'
import { AnyLink } from './Link'

/** Breadcrumbs. */
export function Breadcrumbs({ crumbs }: { crumbs: Breadcrumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="breadcrumbs">
      <ol>
        {crumbs.map(({ label, href }, at) => (
          <li key={label}>
            {at < crumbs.length - 1 ? (
              <AnyLink to={href}>{label}</AnyLink>
            ) : (
              <span aria-current="page">{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
