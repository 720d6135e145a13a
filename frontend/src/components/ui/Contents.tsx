import type { DocHeading } from '../../api/generated'
import { shownFramework } from '../../lib/outline'

interface Props {
  headings: DocHeading[]
  framework?: string | undefined
  /** Makes it a drawer of this name, which a button opens where there is no room for it. */
  drawer?: string
}

/** On this page. Headings of a framework's panel are shown with the panel, by CSS; the starter marks where one reads. */
export function Contents({ headings, framework, drawer }: Props) {
  const shown = shownFramework(headings, framework)
  return (
    <nav
      id={drawer}
      popover={drawer ? 'auto' : undefined}
      aria-labelledby="outline-title"
      className="toc"
      suppressHydrationWarning
    >
      <h2 id="outline-title">On this page</h2>
      <ul>
        {headings.map((heading) => (
          <li
            key={heading.id}
            data-level={heading.level}
            data-framework={heading.framework ?? undefined}
            data-default={heading.framework && heading.framework === shown ? '' : undefined}
          >
            <a href={`#${heading.id}`} suppressHydrationWarning>
              {heading.text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
