import type { MenuSection } from '../../lib/menu'

/** The menu as a page's content. */
export function MenuList({ sections }: { sections: MenuSection[] }) {
  return sections.map((section) => (
    <section key={section.label} className="menu-list">
      <h2>{section.label}</h2>
      <ul>
        {section.links.map((link) => (
          <li key={link.href}>
            <a href={link.href}>{link.label}</a>
          </li>
        ))}
      </ul>
    </section>
  ))
}
