import type { LibraryCard, ShownRelease, ShownNotes } from '../../api/generated'
import { releaseName } from '../../lib/docs/release'
import { LATEST } from '../../lib/docs/version'
import { formatDate, formatNumber } from '../../lib/format'
import { paths } from '../../lib/paths'
import { Breadcrumbs } from '../ui/Breadcrumbs'
import { LinkButton } from '../ui/Button'
import { HtmlContent } from '../ui/HtmlContent'
import { ExternalLink, Link } from '../ui/Link'
import { useShell } from '../ui/useShell'
import { ChangeGroups } from './ChangeList'

interface Props {
  library: LibraryCard
  release: ShownRelease
}

/** A release: its notes, and what changed in the docs since the release before. */
export function ReleaseArticle({ library, release }: Props) {
  const { number, day, tag, tagUrl, commit, commitUrl, packages, notes, docsCount } = release
  const { frameworks } = useShell()
  return (
    <article className="releases release">
      <header className="releases-head">
        <Breadcrumbs
          crumbs={[
            { label: library.name, href: paths.version(library.id, LATEST) },
            { label: 'Releases', href: paths.releases(library.id) },
            { label: number, href: paths.release(library.id, number) },
          ]}
        />
        <h1>{releaseName(library, release, frameworks)}</h1>
        <p className="release-facts">
          <time dateTime={day}>{formatDate(day)}</time>
          <span>
            Tag <FactLink text={tag} url={tagUrl} />
          </span>
          <span>
            Commit <FactLink text={commit.slice(0, 7)} url={commitUrl} />
          </span>
        </p>
        <LinkButton to={paths.docs(library.id, number)} rel="nofollow">
          {`Docs of ${number}`}
        </LinkButton>
        {packages.length > 1 ? (
          <details className="release-packages">
            <summary>{`${formatNumber(packages.length)} packages`}</summary>
            <ul>
              {packages.map(({ name, number: own }) => (
                <li key={name}>
                  {name} <small>{own}</small>
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </header>
      {notes ? <Notes notes={notes} /> : <p>{`This release has no notes.${docsCount > 0 ? ' The pages of its docs that changed are listed below.' : ''}`}</p>}
      <DocsChanges library={library} release={release} />
      <Neighbors library={library} release={release} />
    </article>
  )
}

function FactLink({ text, url }: { text: string; url: string }) {
  return url ? (
    <ExternalLink href={url}>
      <code>{text}</code>
    </ExternalLink>
  ) : (
    <code>{text}</code>
  )
}

function Notes({ notes: { title, html, sorted, source, sourceName, sourceUrl, cut } }: { notes: ShownNotes }) {
  return (
    <section aria-label="Release notes" className="release-notes">
      {sorted && !title ? null : <h2>{title || 'Release notes'}</h2>}
      <HtmlContent html={html} className="prose" hasTabs />
      <p className="release-source">
        {cut ? 'Only the beginning of the notes is shown. ' : ''}
        From <ExternalLink href={sourceUrl}>{source === 'host' ? `the release on ${sourceName}` : sourceName}</ExternalLink>
      </p>
    </section>
  )
}

function DocsChanges({ library, release: { number, previous, docs, docsCount } }: Props) {
  if (previous === null || docs === null) return null
  const shown = docs.added.length + docs.changed.length + docs.moved.length + docs.removed.length
  return (
    <section aria-label="Changes in the docs" className="release-docs">
      <h2>{`Docs since ${previous}`}</h2>
      {docsCount === 0 ? <p>No page differs.</p> : <ChangeGroups docs={docs} level="h3" to={(path) => paths.difference(library.id, previous, number, path)} />}
      {docsCount === 0 ? null : (
        <p>
          <Link to={paths.changes(library.id, previous, number)} rel="nofollow">
            {docsCount > shown ? `All ${formatNumber(docsCount)} pages that differ` : `Changes from ${previous} to ${number}`}
          </Link>
        </p>
      )}
    </section>
  )
}

function Neighbors({ library, release: { previous, next } }: Props) {
  if (previous === null && next === null) return null
  return (
    <nav aria-label="Previous and next releases" className="prev-next">
      {previous === null ? null : (
        <Link to={paths.release(library.id, previous)} rel="prev">
          <small>Previous release</small> <span>{previous}</span>
        </Link>
      )}
      {next === null ? null : (
        <Link to={paths.release(library.id, next)} rel="next">
          <small>Next release</small> <span>{next}</span>
        </Link>
      )}
    </nav>
  )
}
