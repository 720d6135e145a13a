import type { MenuLink, Neighbours } from '../../lib/menu'

/** The pages before and after this one. */
export function Around({ previous, next }: Neighbours) {
  if (!previous && !next) return null
  return (
    <nav aria-label="Previous and next page" className="around">
      {previous ? <Card link={previous} rel="prev" name="Previous" /> : null}
      {next ? <Card link={next} rel="next" name="Next" /> : null}
    </nav>
  )
}

function Card({ link, rel, name }: { link: MenuLink; rel: 'prev' | 'next'; name: string }) {
  return (
    <a href={link.href} rel={rel} data-near={rel === 'next' ? '' : undefined}>
      <small>{name}</small> <span>{link.label}</span>
    </a>
  )
}
