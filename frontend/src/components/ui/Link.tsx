import type { AnchorHTMLAttributes } from 'react'
import type { ExternalUrl, SitePath } from '../../lib/paths'
import { isExternal, withBase } from '../../lib/paths'

type Attributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

export interface LinkProps extends Attributes {
  to: SitePath
}

/** A link within the site: an `<a>`, which works without a script. The boot script and the app intercept its clicks. */
export function Link({ to, children, ...attributes }: LinkProps) {
  return (
    <a href={withBase(to)} {...attributes}>
      {children}
    </a>
  )
}

export interface ExternalLinkProps extends Attributes {
  href: string
}

/** A link to another site. `noopener` gives that site no reference to this window. */
export function ExternalLink({ href, children, ...attributes }: ExternalLinkProps) {
  return (
    <a href={href} rel="noopener" {...attributes}>
      {children}
    </a>
  )
}

export interface AnyLinkProps extends Attributes {
  to: SitePath | ExternalUrl
}

/** A link whose target is data: a page of the site, or another site. */
export function AnyLink({ to, children, ...attributes }: AnyLinkProps) {
  return (
    <a href={withBase(to)} rel={isExternal(to) ? 'noopener' : undefined} {...attributes}>
      {children}
    </a>
  )
}
