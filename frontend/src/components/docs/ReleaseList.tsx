import type { LibraryCard, MajorReleases, MinorReleases } from '../../api/generated'
import { findFramework } from '../../lib/docs/framework'
import { formatDate, formatNumber } from '../../lib/format'
import { paths } from '../../lib/paths'
import { Breadcrumbs } from '../ui/Breadcrumbs'
import { Icon } from '../ui/Icon'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'
import { LATEST } from '../../lib/docs/version'
import { CompareReleases } from './CompareReleases'
import { OpenRelease } from './OpenRelease'

interface Props {
  library: LibraryCard
  newest: string
  majors: MajorReleases[]
  /** Whether any release has notes. */
  hasNotes: boolean
  /** Whether the reader asked for a release that does not exist. */
  missing: boolean
}

/** All releases of a library, by their minor versions. */
export function ReleaseList({ library, newest, majors, hasNotes, missing }: Props) {
  const count = majors.reduce((sum, { minors }) => sum + countReleases(minors), 0)
  return (
    <div className="releases">
      <header className="releases-head">
        <Breadcrumbs
          crumbs={[
            { label: library.name, href: paths.version(library.id, 'latest') },
            { label: 'Releases', href: paths.releases(library.id) },
          ]}
        />
        <h1>Releases of {library.name}</h1>
        <p>
          {`${describeCount(count)} with docs. ${hasNotes ? 'Those with notes open their page, all others' : 'Each opens'} the docs as they were in that release. Search engines are asked to list only the latest docs.`}
        </p>
        {missing ? (
          <p role="alert" className="releases-none">
            {library.name} has no such release with docs. A release is written as {newest}.
          </p>
        ) : null}
        <OpenRelease library={library} example={newest} />
        <h2>What changed in the docs</h2>
        <CompareReleases library={library} older={newest} newer={LATEST} />
      </header>
      {majors.map((major) => (
        <Major
          key={`${major.framework ?? ''} ${major.major}`}
          library={library}
          major={major}
          open={major.framework === null && major.major === Number.parseInt(newest, 10)}
        />
      ))}
    </div>
  )
}

function Major({ library, major: { framework, major, minors }, open }: { library: LibraryCard; major: MajorReleases; open: boolean }) {
  const { frameworks } = useShell()
  return (
    <details className="releases-major" open={open}>
      <summary>
        <h2>{framework === null ? `Version ${major}` : `${findFramework(frameworks, framework).label} only, version ${major}`}</h2>
        <small>{describeCount(countReleases(minors))}</small>
        <Icon name="chevron" />
      </summary>
      <ul className="releases-minors">
        {minors.map((minor) => (
          <Minor key={minor.name} library={library} minor={minor} />
        ))}
      </ul>
    </details>
  )
}

function Minor({ library, minor: { name, releases } }: { library: LibraryCard; minor: MinorReleases }) {
  const days = releases.map(({ day }) => day).toSorted()
  const [first = '', last = ''] = [days[0], days.at(-1)]
  return (
    <li>
      <h3>{name}</h3>
      <ul>
        {releases.map(({ number, day, summary }) =>
          summary ? (
            <li key={number} className="releases-noted">
              <Link to={paths.release(library.id, number)} title={formatDate(day)}>
                {number}
              </Link>{' '}
              <span>{summary}</span>
            </li>
          ) : (
            <li key={number}>
              <Link to={paths.docs(library.id, number)} rel="nofollow" title={formatDate(day)}>
                {number}
              </Link>
            </li>
          ),
        )}
      </ul>
      <time dateTime={last}>{first === last ? formatDate(last) : `${formatDate(first)} to ${formatDate(last)}`}</time>
    </li>
  )
}

function describeCount(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'release' : 'releases'}`
}

function countReleases(minors: readonly MinorReleases[]): number {
  return minors.reduce((sum, { releases }) => sum + releases.length, 0)
}
