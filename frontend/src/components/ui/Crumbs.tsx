import type { Crumb } from '../../lib/menu'

/** Where one is. */
export function Crumbs({ way }: { way: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="crumbs">
      <ol>
        {way.map(({ label, href }, at) => (
          <li key={label}>
            {at < way.length - 1 ? (
              <a href={href}>{label}</a>
            ) : (
              <span aria-current="page">{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
