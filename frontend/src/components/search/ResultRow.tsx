import type { AnchorHTMLAttributes, ReactNode } from 'react'
import { libraryColors } from '../../lib/colors'
import type { ExternalUrl, SitePath } from '../../lib/paths'
import { Icon } from '../ui/Icon'
import { LibraryLogo } from '../ui/LibraryLogo'
import { AnyLink } from '../ui/Link'
import { MaybeDeprecated } from '../ui/MaybeDeprecated'
import { useShell } from '../ui/useShell'

type Attributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'title' | 'className' | 'style'>

interface Props extends Attributes {
  to: SitePath | ExternalUrl
  /** Empty for a page of no library, or of several. */
  library: string
  title: ReactNode
  /** The headings between the title and the text. */
  trail: { key: string; heading: ReactNode }[]
  /** The section's text around the match, or its answer to the query. */
  text: ReactNode
  /** Shown after the name of the library. */
  badges: readonly string[]
  /** Lines about a deprecated section and a deprecated page. */
  deprecated?: string | undefined
  deprecatedPage?: string | undefined
}

/** A result: a page and its matching section. The whole row is a link. */
export function ResultRow({ to, library: id, title, trail, text, badges, deprecated, deprecatedPage, ...attributes }: Props) {
  const library = useShell().libraries.find((candidate) => candidate.id === id)
  return (
    <AnyLink to={to} className="search-result" style={library && libraryColors(library)} {...attributes}>
      {library ? <LibraryLogo library={library} /> : <Icon name="note" />}
      <span className="search-result-text">
        <strong>
          <MaybeDeprecated deprecated={deprecatedPage}>{title}</MaybeDeprecated>
        </strong>
        {trail.length > 0 ? (
          <span className="search-result-trail">
            {trail.map(({ key, heading }, at) => (
              <span key={key}>
                <MaybeDeprecated deprecated={at === trail.length - 1 ? deprecated : undefined}>{heading}</MaybeDeprecated>
              </span>
            ))}
          </span>
        ) : null}
        {text}
        {deprecated || deprecatedPage ? <small>{deprecated || deprecatedPage}</small> : null}
      </span>
      <span className="search-result-badges">
        {[...(library ? [library.shortName] : []), ...badges].map((badge) => (
          <span key={badge} className="badge">
            {badge}
          </span>
        ))}
      </span>
    </AnyLink>
  )
}
