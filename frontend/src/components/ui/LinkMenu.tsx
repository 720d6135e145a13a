// A drop-down menu of links. `<details>` makes it work without a script.
import type { ReactNode } from 'react'
import type { MenuChoice } from '../../lib/menuChoice'
import { FrameworkLabel } from './FrameworkLabel'
import { Icon } from './Icon'
import { Link } from './Link'

interface Props {
  /** The accessible name of the choice. */
  name: string
  value: string
  items: MenuChoice[]
  /** The items are frameworks: the boot script stores the chosen one. */
  chooses?: 'framework'
  /** What stands below the items. */
  children?: ReactNode
}

export function LinkMenu({ name, value, items, chooses, children }: Props) {
  const current = items.find((item) => item.current)
  return (
    <details className="link-menu" name="link-menu" data-keeps-version={chooses ? undefined : ''} suppressHydrationWarning>
      <summary>
        <span className="sr-only">{`${name}: `}</span>
        <span className="link-menu-value">{current?.framework ? <FrameworkLabel value={current.framework} /> : value}</span>
        <Icon name="chevron" />
      </summary>
      <ul>
        {items.map((item) => (
          <li key={item.key}>
            <Link
              to={item.href}
              aria-current={item.current ? 'true' : undefined}
              data-choose-framework={chooses === 'framework' ? item.key : undefined}
            >
              {item.framework ? <FrameworkLabel value={item.framework} /> : <span>{item.label}</span>}
              {item.note ? <small>{item.note}</small> : null}
            </Link>
          </li>
        ))}
        {children ? <li>{children}</li> : null}
      </ul>
    </details>
  )
}
