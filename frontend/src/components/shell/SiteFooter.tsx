import type { Shell } from '../../api/generated'
import { isExternal } from '../../lib/paths'

export function SiteFooter({ shell }: { shell: Shell }) {
  return (
    <footer className="site-footer">
      <div className="column">
        <ul>
          {shell.footer.map((link) => (
            <li key={link.to}>
              <a href={link.to} rel={isExternal(link.to) ? 'noopener' : undefined}>
                {link.label}
              </a>
            </li>
          ))}
        </ul>
        <p>© {shell.owner}</p>
      </div>
    </footer>
  )
}
