import type { ComparedPage, LibraryCard, ReleaseChanges } from '../../api/generated'
import { releaseTitle } from '../../lib/docs/release'
import { formatDate, formatNumber } from '../../lib/format'
import { paths } from '../../lib/paths'
import type { SitePath } from '../../lib/paths'
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
export function ChangeList({ library, older, newer, changes: { olderDay, newerDay, docs } }: Props) {
  const groups = [
    { label: 'New pages', pages: docs.added },
    { label: 'Changed pages', pages: docs.changed },
    { label: 'Moved pages', pages: docs.moved },
    { label: 'Removed pages', pages: docs.removed },
  ].filter(({ pages }) => pages.length > 0)
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
      {groups.length === 0 ? <p>No page differs.</p> : null}
      {groups.map(({ label, pages }) => (
        <section key={label} className="changes">
          <h2>
            {label} <small>{formatNumber(pages.length)}</small>
          </h2>
          <ul>
            {pages.map((page) => (
              <ChangedPage key={page.path} page={page} to={paths.difference(library.id, older, newer, page.path)} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
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
