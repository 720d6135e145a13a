import type { CodeFinding, PageFindings } from '../../api/generated'
import { formatNumber } from '../../lib/format'
import { serverPath } from '../../lib/paths'
import { ExternalLink, Link } from '../ui/Link'
import { WithCode } from '../ui/WithCode'
import { EmptySection } from './EmptySection'

const TITLE = 'Wrong code'

/** Faults of code blocks by page, each with a link to the editor of its file. */
export function CodeFindings({ pages, count }: { pages: readonly PageFindings[]; count: number }) {
  if (count === 0) return <EmptySection title={TITLE} text="The last checks found nothing wrong." />
  const listed = pages.reduce((sum, { findings }) => sum + findings.length, 0)
  return (
    <section className="dashboard-section">
      <h2>
        {TITLE} <span className="dashboard-count">{formatNumber(count)}</span>
      </h2>
      <ul className="saved-list">
        {pages.map(({ library, version, title, to, file, findings }) => (
          <li key={`${to} ${file}`} className="code-findings">
            <p className="code-findings-page">
              <Link to={serverPath(to)}>{title}</Link>
              <span className="saved-about">
                {library} {version}, {file}
              </span>
            </p>
            <ul>
              {findings.map((finding) => (
                <Finding key={finding.key} finding={finding} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {listed < count ? (
        <p className="dashboard-lead">
          {formatNumber(count - listed)} more are not listed. <code>kinfolk check --code</code> prints all.
        </p>
      ) : null}
    </section>
  )
}

function Finding({ finding: { line, code, sentence, edit } }: { finding: CodeFinding }) {
  const label = line ? `Edit line ${line}` : 'Edit the file'
  return (
    <li className="code-finding">
      <p>
        <WithCode text={sentence} />
      </p>
      {code ? <code className="code-finding-line">{code}</code> : null}
      {edit ? <ExternalLink href={edit}>{label}</ExternalLink> : <span className="saved-about">{line ? `Line ${line}` : ''}</span>}
    </li>
  )
}
