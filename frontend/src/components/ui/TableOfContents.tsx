import type { DocHeading } from '../../api/generated'
import { defaultFramework } from '../../lib/docs/tableOfContents'
import { Link } from './Link'
import { MaybeDeprecated } from './MaybeDeprecated'
import { Name } from './Name'
import { useShell } from './useShell'
import { paths } from '../../lib/paths'

interface Props {
  headings: DocHeading[]
  framework?: string | undefined
  /** Id of a popover that a button opens on narrow screens. */
  drawer?: string
}

/** The table of contents. CSS shows the headings of a framework's panel with the panel; the boot script marks the current heading. */
export function TableOfContents({ headings, framework, drawer }: Props) {
  const shown = defaultFramework(headings, framework, useShell().firstFramework)
  return (
    <nav
      id={drawer}
      popover={drawer ? 'auto' : undefined}
      aria-labelledby="Site-outline-title"
      className="toc"
      suppressHydrationWarning
    >
      <h2 id="Site-outline-title">On this page</h2>
      <ul>
        {headings.map((heading) => (
          <li
            key={heading.id}
            data-level={heading.level}
            data-framework={heading.framework ?? undefined}
            data-default={heading.framework && heading.framework === shown ? '' : undefined}
          >
            <Link to={paths.hash(heading.id)} suppressHydrationWarning>
              <MaybeDeprecated deprecated={heading.deprecated}>
                <Name text={heading.text} />
              </MaybeDeprecated>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
