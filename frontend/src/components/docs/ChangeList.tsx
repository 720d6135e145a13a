import type { ComparedDocs, ComparedPage, LibraryCard, ReleaseChanges } from '../../api/generated'
import { LATEST } from '../../lib/docs/version'
import { releaseTitle } from '../../lib/docs/release'
import { formatDate, formatNumber } from '../../lib/format'
import { paths, serverPath } from '../../lib/paths'
import { Breadcrumbs } from '../ui/Breadcrumbs'
import { Link } from '../ui/Link'
import { CompareReleases } from './CompareReleases'

interface Props {
  library: LibraryCard
  older: string
  newer: string
  changes: ReleaseChanges
}

/** The pages of the docs that differ between two releases. */
export function ChangeList({ library, older, newer, changes: { olderDay, newerDay, docs } }: Props) {
  const differs = [docs.added, docs.changed, docs.moved, docs.removed].some((pages) => pages.length > 0)
  return (
    <div className="releases">
      <header className="releases-head">
        <Breadcrumbs
          crumbs={[
            { label: library.name, href: paths.version(library.id, LATEST) },
            { label: 'Releases', href: paths.releases(library.id) },
            { label: 'Changes', href: paths.changes(library.id, older, newer) },
          ]}
        />
        <h1>{`Changes from ${older} to ${releaseTitle(newer)}`}</h1>
        <p>
          {`Pages of the docs that differ between ${older} (${formatDate(olderDay)}) and ${releaseTitle(newer)}${newerDay ? ` (${formatDate(newerDay)})` : ''}.`}
        </p>
        <CompareReleases library={library} older={older} newer={newer} />
      </header>
      {differs ? <ChangeGroups docs={docs} level="h2" /> : <p>No page differs.</p>}
    </div>
  )
}

/** The pages that differ, by what happened to them, below headings of a level. */
export function ChangeGroups({ docs, level: Heading }: { docs: ComparedDocs; level: 'h2' | 'h3' }) {
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
          <ChangedPage key={page.path} page={page} />
        ))}
      </ul>
    </section>
  ))
}

function ChangedPage({ page: { title, path, to, before } }: { page: ComparedPage }) {
  return (
    <li>
      <Link to={serverPath(to)} rel="nofollow">
        {title}
      </Link>
      <small>{before === null ? path : `${path}, before at ${before}`}</small>
    </li>
  )
}
