import type { ExampleCard, ExampleList } from '../../api/generated'
import { findFramework } from '../../lib/docs/framework'
import { FrameworkLabel } from '../ui/FrameworkLabel'
import { ExternalLink, Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'
import { useShell } from '../ui/useShell'

interface Props {
  list: ExampleList
  /** The framework whose examples are listed; null lists one of each name. */
  framework: string | null
  /** URL of a framework's list; null for the list of all. */
  listHref: (framework: string | null) => SitePath
  href: (framework: string, name: string) => SitePath
}

/** The examples of a library, with links that filter by framework. */
export function ExampleCards({ list, framework, listHref, href }: Props) {
  const { frameworks } = useShell()
  const label = (value: string) => findFramework(frameworks, value).label
  return (
    <>
      {list.counts.length > 1 || framework ? (
        <nav aria-label="Framework" className="chips example-filter">
          <Link to={listHref(null)} className="chip" aria-current={framework === null ? 'true' : undefined}>
            All
          </Link>
          {list.counts.map((count) => (
            <Link
              key={count.framework}
              to={listHref(count.framework)}
              className="chip"
              aria-current={count.framework === framework ? 'true' : undefined}
            >
              <FrameworkLabel value={count.framework} /> <small>{count.examples}</small>
            </Link>
          ))}
        </nav>
      ) : null}
      {list.cards.length > 0 ? (
        <ul className="example-cards">
          {list.cards.map((card) => (
            <ExampleCardItem key={card.name} card={card} href={href} />
          ))}
        </ul>
      ) : (
        <p className="example-empty">
          No examples{framework ? ` for ${label(framework)}` : ''} yet.
          {list.source ? (
            <>
              {' '}
              <ExternalLink href={list.source}>Look in the repository</ExternalLink>.
            </>
          ) : null}
        </p>
      )}
    </>
  )
}

interface ExampleCardItemProps extends Pick<Props, 'href'> {
  card: ExampleCard
}

function ExampleCardItem({ card, href }: ExampleCardItemProps) {
  const { frameworks } = useShell()
  const { name, title, framework, preview, file, files } = card
  return (
    <li className="card example-card">
      <h2>
        <Link to={href(framework, name)} className="card-link">
          {title}
        </Link>
      </h2>
      <ul className="example-card-frameworks">
        {card.frameworks.map((value) => {
          const { label } = findFramework(frameworks, value)
          return (
            <li key={value}>
              <Link to={href(value, name)} title={`${title} for ${label}`}>
                <FrameworkLabel value={value} />
              </Link>
            </li>
          )
        })}
      </ul>
      {preview ? (
        <pre className="code example-preview" aria-hidden="true">
          <code data-html={preview.slot} dangerouslySetInnerHTML={preview.inner} suppressHydrationWarning />
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
