import type { LibraryCard, PageDifferenceView } from '../../api/generated'
import { LATEST } from '../../lib/docs/version'
import { releaseTitle } from '../../lib/docs/release'
import { formatDate, formatList, formatNumber } from '../../lib/format'
import { serverPath } from '../../lib/paths'
import { ChangeCrumbs } from './ChangeCrumbs'
import { HtmlContent } from '../ui/HtmlContent'
import { Link } from '../ui/Link'
import { Name } from '../ui/Name'

interface Props {
  library: LibraryCard
  older: string
  newer: string
  difference: PageDifferenceView
}

/** A page as it is in the newer of two releases, with what was removed and added since the older one. */
export function PageDifference({ library, older, newer, difference }: Props) {
  const { title, html, older: old, newer: page } = difference
  const counts = countsOf(difference)
  return (
    <div className="difference">
      <header className="releases-head difference-head">
        <ChangeCrumbs library={library} older={older} newer={newer} />
        <h1>
          <Name text={title} />
        </h1>
        <p>{`Changes from ${older} to ${releaseTitle(newer)}. ${summaryOf(difference, older, newer)}`}</p>
        <ul>
          <VersionLink version={old} name={older} />
          <VersionLink version={page} name={releaseTitle(newer)} />
        </ul>
        {counts.length > 0 ? (
          <dl className="difference-legend" aria-label="Marks of this page">
            <dt>
              <ins>Added</ins>
            </dt>
            <dd>{`in ${releaseTitle(newer)}`}</dd>
            <dt>
              <del>Removed</del>
            </dt>
            <dd>{`since ${older}`}</dd>
          </dl>
        ) : null}
      </header>
      <HtmlContent html={html} className="prose" hasTabs />
    </div>
  )
}

function VersionLink({ version, name }: { version: PageDifferenceView['older']; name: string }) {
  const label = name.charAt(0).toUpperCase() + name.slice(1)
  if (!version) return <li>{`${label} has no such page.`}</li>
  return (
    <li>
      <Link to={serverPath(version.to)} rel="nofollow">
        {`The page in ${name}`}
      </Link>
      {version.day ? <small>{formatDate(version.day)}</small> : null}
    </li>
  )
}

function countsOf({ changed, added, removed }: PageDifferenceView): string[] {
  const all: [number, string][] = [
    [changed, 'changed'],
    [added, 'added'],
    [removed, 'removed'],
  ]
  const counts = all.filter(([count]) => count > 0)
  // The first names what is counted: 1 block changed and 2 added.
  return counts.map(([count, name], at) => `${formatNumber(count)} ${at > 0 ? '' : count === 1 ? 'block ' : 'blocks '}${name}`)
}

function summaryOf(difference: PageDifferenceView, older: string, newer: string): string {
  const { older: old, newer: page } = difference
  if (!old) return `The page is new: ${older} does not have it.`
  if (!page) return `The page was removed: ${releaseTitle(newer)} ${newer === LATEST ? 'do' : 'does'} not have it.`
  const moved = old.path === page.path ? '' : ` The page was at ${old.path} before.`
  const counts = countsOf(difference)
  if (counts.length === 0) return `The text of the page did not change.${moved}`
  return `${formatList(counts)}.${moved}`
}
