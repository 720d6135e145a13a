import type { SiteMenuEntry } from '../../api/generated'
import { linkGroups } from '../../lib/linkGroups'
import { anyUrl } from '../../lib/paths'
import { AnyLink } from '../ui/Link'
import { useShell } from '../ui/useShell'

export function SiteFooter() {
  const shell = useShell()
  return (
    <footer className="site-footer">
      <div className="column">
        {linkGroups(shell.footer).map(({ heading, links }, at) => (
          <FooterLinks key={links[0]?.to} heading={heading} id={`Site-footer-${String(at)}`} links={links} />
        ))}
        <p>{shell.texts.footerNote ?? <>© {shell.owner}</>}</p>
      </div>
    </footer>
  )
}

/** A list of links; with a heading, a column. */
function FooterLinks({ heading, id, links }: { heading: string | null; id: string; links: SiteMenuEntry[] }) {
  const list = (
    <ul aria-labelledby={heading === null ? undefined : id}>
      {links.map((link) => (
        <li key={link.to}>
          <AnyLink to={anyUrl(link.to)}>
            {link.label}
          </AnyLink>
        </li>
      ))}
    </ul>
  )
  return heading === null ? (
    list
  ) : (
    <section>
      <h2 id={id}>{heading}</h2>
      {list}
    </section>
  )
}
