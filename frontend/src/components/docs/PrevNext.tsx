import type { MenuLink, AdjacentPages } from '../../lib/docs/docsMenu'
import { AnyLink } from '../ui/Link'
import { Name } from '../ui/Name'

/** Links to the previous and the next page. */
export function PrevNext({ previous, next }: AdjacentPages) {
  if (!previous && !next) return null
  return (
    <nav aria-label="Previous and next page" className="prev-next">
      {previous ? <PrevNextLink link={previous} rel="prev" name="Previous" /> : null}
      {next ? <PrevNextLink link={next} rel="next" name="Next" /> : null}
    </nav>
  )
}

function PrevNextLink({ link, rel, name }: { link: MenuLink; rel: 'prev' | 'next'; name: string }) {
  return (
    <AnyLink to={link.href} rel={rel} data-near={rel === 'next' ? '' : undefined}>
      <small>{name}</small> <span>
        <Name text={link.label} />
      </span>
    </AnyLink>
  )
}
