import { anyUrl } from '../../lib/paths'
import { AnyLink } from '../ui/Link'
import { useShell } from '../ui/useShell'

export function SiteFooter() {
  const shell = useShell()
  return (
    <footer className="site-footer">
      <div className="column">
        {shell.footer.length > 0 ? (
          <ul>
            {shell.footer.map((link) => (
              <li key={link.to}>
                <AnyLink to={anyUrl(link.to)}>
                  {link.label}
                </AnyLink>
              </li>
            ))}
          </ul>
        ) : null}
        <p>{shell.texts.footerNote ?? <>© {shell.owner}</>}</p>
      </div>
    </footer>
  )
}
