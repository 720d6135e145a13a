// A choice made by following a link: works as it stands, without a script.
import type { Choice } from '../../lib/choice'
import { hueOf } from '../../lib/hue'
import { Icon } from './Icon'

interface Props {
  /** What is chosen, for those who cannot see it from the context. */
  name: string
  value: string
  items: Choice[]
  /** Lets the starter know which items are frameworks, which the reader may choose without leaving the page. */
  chooses?: 'framework'
}

export function LinkMenu({ name, value, items, chooses }: Props) {
  return (
    <details className="link-menu" name="link-menu" suppressHydrationWarning>
      <summary>
        <span className="sr-only">{name}: </span>
        <span className="truncate">{value}</span>
        <Icon name="chevron" />
      </summary>
      <ul>
        {items.map((item) => (
          <li key={item.key}>
            <a
              href={item.href}
              aria-current={item.current ? 'true' : undefined}
              data-choose-framework={chooses === 'framework' ? item.key : undefined}
              style={item.color ? hueOf(item.color) : undefined}
            >
              <span className={item.color ? 'dot' : undefined}>{item.label}</span>
              {item.note ? <small>{item.note}</small> : null}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
