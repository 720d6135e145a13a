import type { LibraryCard, ListedChange, PreviewFinding, PreviewView } from '../../api/generated'
import { CHANGES, groupFindings, previewSummary } from '../../lib/docs/preview'
import { versionTitle } from '../../lib/docs/version'
import { formatDate, formatNumber } from '../../lib/format'
import { paths, serverPath } from '../../lib/paths'
import { textDirection } from '../../lib/textDirection'
import { Breadcrumbs } from '../ui/Breadcrumbs'
import { HtmlContent } from '../ui/HtmlContent'
import { ExternalLink, Link } from '../ui/Link'
import { WithCode } from '../ui/WithCode'

interface Props {
  library: LibraryCard
  view: PreviewView
}

/** What a pull request changes in the docs of a library: its pages with their differences, and what is wrong in them. */
export function PreviewStart({ library, view }: Props) {
  const { facts, updated, pages, unlisted, findings } = view
  const { number, title, url, base } = facts
  return (
    <div className="preview">
      <header className="releases-head preview-head">
        <Breadcrumbs
          crumbs={[
            { label: library.name, href: paths.version(library.id, base) },
            { label: `Pull request #${number}`, href: paths.preview(library.id, number) },
          ]}
        />
        <h1 dir={textDirection(title)}>{title}</h1>
        <p>{`${previewSummary(facts, '')}. Compared with ${versionTitle(library, base)}. Last updated on ${formatDate(updated)}.`}</p>
        <p className="preview-links">
          <Link to={paths.docs(library.id, `pr-${number}`)} rel="nofollow">
            Read the docs with these changes
          </Link>
          {url ? <ExternalLink href={url}>{`Pull request #${number}`}</ExternalLink> : null}
        </p>
      </header>
      {groupFindings(findings).map((group) => (
        <Findings key={group.label} {...group} />
      ))}
      {pages.length === 0 ? <p>No page of the docs differs.</p> : null}
      {CHANGES.map(({ change, label }) => (
        <PreviewGroup key={change} label={label} pages={pages.filter((page) => page.change === change)} />
      ))}
      {unlisted > 0 ? <p>{`${formatNumber(unlisted)} more pages are not listed.`}</p> : null}
    </div>
  )
}

function Findings({ label, findings }: { label: string; findings: readonly PreviewFinding[] }) {
  return (
    <section className="preview-group">
      <h2>
        {label} <small>{formatNumber(findings.length)}</small>
      </h2>
      <ul>
        {findings.map(({ file, line, text, code }) => (
          <li key={`${file} ${line} ${text} ${code}`} className="preview-finding">
            <span>{code ? <WithCode text={text} /> : text}</span>
            {code ? <code>{code}</code> : null}
            <small>{line ? `${file}, ${line}` : file}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function PreviewGroup({ label, pages }: { label: string; pages: readonly ListedChange[] }) {
  if (pages.length === 0) return null
  return (
    <section className="preview-group">
      <h2>
        {label} <small>{formatNumber(pages.length)}</small>
      </h2>
      {pages.map((page) => (
        <PreviewedPage key={page.path} page={page} />
      ))}
    </section>
  )
}

function PreviewedPage({ page: { title, path, to, before, difference } }: { page: ListedChange }) {
  return (
    <article className="preview-page">
      <h3>
        <Link to={serverPath(to)} rel="nofollow">
          {title}
        </Link>
      </h3>
      <p className="preview-path">{before === null ? path : `${path}, before at ${before}`}</p>
      {difference ? (
        <div className="difference">
          <HtmlContent html={difference} className="prose" hasTabs />
        </div>
      ) : (
        <p>The difference of this page is not shown.</p>
      )}
    </article>
  )
}
