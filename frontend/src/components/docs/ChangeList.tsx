import { Fragment } from 'react'
import type { ComparedDocs, ComparedPage, LibraryCard, ReleaseChanges } from '../../api/generated'
import { releaseTitle } from '../../lib/docs/release'
import { formatDate, formatNumber } from '../../lib/format'
import { paths } from '../../lib/paths'
import type { SitePath } from '../../lib/paths'
import { HtmlContent } from '../ui/HtmlContent'
import { Link } from '../ui/Link'
import { ChangeCrumbs } from './ChangeCrumbs'
import { CompareReleases } from './CompareReleases'

interface Props {
  library: LibraryCard
  older: string
  newer: string
  changes: ReleaseChanges
}

/** The pages of the docs that differ between two releases. */
export function ChangeList({ library, older, newer, changes: { olderDay, newerDay, docs, breaking } }: Props) {
  const differs = [docs.added, docs.changed, docs.moved, docs.removed].some((pages) => pages.length > 0)
  return (
    <div className="releases">
      <header className="releases-head">
        <ChangeCrumbs library={library} older={older} newer={newer} />
        <h1>{`Changes from ${older} to ${releaseTitle(newer)}`}</h1>
        <p>
          {`Pages of the docs that differ between ${older} (${formatDate(olderDay)}) and ${releaseTitle(newer)}${newerDay ? ` (${formatDate(newerDay)})` : ''}.`}
        </p>
        <CompareReleases library={library} older={older} newer={newer} />
      </header>
      {breaking ? (
        <section className="changes">
          <h2>Breaking changes</h2>
          {breaking.map(({ number, html }) => (
            <Fragment key={number}>
              <h3>
                <Link to={paths.release(library.id, number)}>{number}</Link>
              </h3>
              <HtmlContent html={html} className="prose" />
            </Fragment>
          ))}
        </section>
      ) : null}
      {differs ? <ChangeGroups docs={docs} level="h2" to={(path) => paths.difference(library.id, older, newer, path)} /> : <p>No page differs.</p>}
    </div>
  )
}

interface Groups {
  docs: ComparedDocs
  level: 'h2' | 'h3'
  /** The address of what changed on the page at a path. */
  to: (path: string) => SitePath
}

/** The pages that differ, by what happened to them, below headings of a level. */
export function ChangeGroups({ docs, level: Heading, to }: Groups) {
  const groups = [
    { label: 'New pages', pages: docs.added },
    { label: 'Changed pages', pages: docs.changed },
    { label: 'Moved pages', pages: docs.moved },
    { label: 'Removed pages', pages: docs.removed },
  ].filter(({ pages }) => pages.length > 0)
  return groups.map(({ label, pages }) => (
    <section key={label} className="changes">
      <Heading>
        {label} <small>{formatNumber(pages.length)}</small>
      </Heading>
      <ul>
        {pages.map((page) => (
          <ChangedPage key={page.path} page={page} to={to(page.path)} />
        ))}
      </ul>
    </section>
  ))
}

function ChangedPage({ page: { title, path, before }, to }: { page: ComparedPage; to: SitePath }) {
  return (
    <li>
      <Link to={to} rel="nofollow">
        {title}
      </Link>
      <small>{before === null ? path : `${path}, before at ${before}`}</small>
    </li>
  )
}
