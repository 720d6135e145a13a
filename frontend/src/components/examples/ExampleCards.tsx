import type { ExampleCard, ExampleList, FrameworkOption } from '../../api/generated'
import { frameworkOption } from '../../lib/framework'
import { hueOf } from '../../lib/hue'

interface Props {
  list: ExampleList
  /** The framework whose examples are shown; null for one of each name. */
  framework: string | null
  frameworks: readonly FrameworkOption[]
  /** Where a framework's list is; null is that of all. */
  listHref: (framework: string | null) => string
  href: (framework: string, name: string) => string
}

/** All examples of a library, to be narrowed down to a framework by following a link. */
export function ExampleCards({ list, framework, frameworks, listHref, href }: Props) {
  const label = (value: string) => frameworkOption(frameworks, value).label
  return (
    <>
      {list.counts.length > 1 || framework ? (
        <nav aria-label="Framework" className="chips example-filter">
          <a href={listHref(null)} className="chip" aria-current={framework === null ? 'true' : undefined}>
            All
          </a>
          {list.counts.map((count) => (
            <a
              key={count.framework}
              href={listHref(count.framework)}
              className="chip"
              aria-current={count.framework === framework ? 'true' : undefined}
            >
              {label(count.framework)} <small>{count.examples}</small>
            </a>
          ))}
        </nav>
      ) : null}
      {list.cards.length > 0 ? (
        <ul className="example-cards">
          {list.cards.map((card) => (
            <Card key={card.name} card={card} frameworks={frameworks} href={href} />
          ))}
        </ul>
      ) : (
        <p className="example-none">
          There are no examples here{framework ? ` for ${label(framework)}` : ''}.{' '}
          <a href={list.source} rel="noopener">
            See the repository
          </a>{' '}
          for what its authors have.
        </p>
      )}
    </>
  )
}

interface CardProps extends Pick<Props, 'frameworks' | 'href'> {
  card: ExampleCard
}

function Card({ card, frameworks, href }: CardProps) {
  const { name, title, framework, preview, file, files } = card
  return (
    <li className="card example-card">
      <h2>
        <a href={href(framework, name)} className="card-link">
          {title}
        </a>
      </h2>
      <ul className="example-card-frameworks">
        {card.frameworks.map((value) => {
          const { label, color } = frameworkOption(frameworks, value)
          return (
            <li key={value}>
              <a href={href(value, name)} style={hueOf(color)} title={`${title} for ${label}`}>
                <span className="dot">{label}</span>
              </a>
            </li>
          )
        })}
      </ul>
      {preview ? (
        <pre className="code example-preview" aria-hidden="true">
          <code data-html={preview.slot} dangerouslySetInnerHTML={{ __html: preview.text }} suppressHydrationWarning />
        </pre>
      ) : null}
      <p className="example-card-foot">
        {file}
        <span>
          {files} {files === 1 ? 'file' : 'files'}
        </span>
      </p>
    </li>
  )
}
