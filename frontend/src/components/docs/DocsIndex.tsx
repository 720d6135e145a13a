import type { MenuSection } from '../../lib/docs/docsMenu'
import { AnyLink } from '../ui/Link'

/** All pages of the docs menu, as the content of a page. */
export function DocsIndex({ sections }: { sections: MenuSection[] }) {
  return sections.map((section) => (
    <section key={section.label} className="docs-index">
      <h2>{section.label}</h2>
      <ul>
        {section.links.map((link) => (
          <li key={link.href}>
            <AnyLink to={link.href}>{link.label}</AnyLink>
          </li>
        ))}
      </ul>
    </section>
  ))
}
