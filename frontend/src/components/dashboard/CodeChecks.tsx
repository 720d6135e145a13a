import type { Load } from '../../api/call'
import type { CheckedVersion, CodeCheckState } from '../../api/generated'
import { formatDate, formatNumber } from '../../lib/format'
import { paths } from '../../lib/paths'
import { Link } from '../ui/Link'
import { CodeFindings } from './CodeFindings'
import { CodeWeeks } from './CodeWeeks'
import type { Column } from './DataTable'
import { DataTable } from './DataTable'
import { EmptySection } from './EmptySection'
import { LoadedSection } from './LoadedSection'
import { useLoaded } from './useLoaded'

const TITLE = 'Checked code'
const REGISTRY =
  'Set KINFOLK_NPM_REGISTRY to the address of a package registry: the types of the libraries are fetched from it.'

const COLUMNS: Column<CheckedVersion>[] = [
  { name: 'Version', cell: nameOf },
  countColumn('Blocks', ({ blocks }) => blocks),
  countColumn('Checked', ({ right, wrong }) => right + wrong),
  countColumn('Right', ({ right }) => right),
  countColumn('Wrong', ({ wrong }) => wrong),
  countColumn('Not checkable', ({ notCheckable }) => notCheckable),
  countColumn('Ignored', ({ ignored }) => ignored),
  { name: 'Checked against', cell: ({ packages }) => packages.join(', ') || '–' },
  { name: 'Last check', cell: ({ checkedAt }) => (checkedAt ? `${formatDate(checkedAt)}, ${checkedAt.slice(11, 16)} UTC` : 'never') },
]

interface Problem {
  version: string
  text: string
}

const PROBLEMS: Column<Problem>[] = [
  { name: 'Version', cell: ({ version }) => version },
  { name: 'Reason', cell: ({ text }) => text },
]

function countColumn(name: string, count: (version: CheckedVersion) => number): Column<CheckedVersion> {
  return { name, numeric: true, cell: (version) => (version.checkedAt ? formatNumber(count(version)) : '–') }
}

function nameOf({ library, version }: CheckedVersion): string {
  return `${library} ${version}`
}

/** The code blocks of the docs: how many are right, and what is wrong in which line. */
export function CodeChecks({ load }: { load: Load }) {
  const { state, reload } = useLoaded(load, 'maintenance.code', null)
  return (
    <LoadedSection state={state} reload={reload}>
      {(found) => <CheckedCode found={found} />}
    </LoadedSection>
  )
}

function CheckedCode({ found: { isOn, hasRegistry, versions, findingCount, pages, weeks } }: { found: CodeCheckState }) {
  if (!isOn) return <EmptySection title={TITLE} text="Code blocks are not checked: KINFOLK_CODE_CHECKS is off." />
  const checked = versions.filter(({ checkedAt }) => checkedAt !== null)
  if (checked.length === 0) {
    const text = 'No code has been checked yet. The first check starts after the docs are ready, and can take some minutes.'
    return <EmptySection title={TITLE} text={hasRegistry ? text : `Code blocks are not checked. ${REGISTRY}`} />
  }
  const problems = checked.flatMap((each) => each.problems.map((text) => ({ version: nameOf(each), text })))
  const libraries = new Map(checked.map(({ library, libraryId }) => [libraryId, library]))
  return (
    <>
      <DataTable
        caption={TITLE}
        rows={versions}
        columns={COLUMNS}
        rowKey={nameOf}
        empty="No library is configured."
      />
      {hasRegistry ? null : <p className="dashboard-lead">{REGISTRY}</p>}
      <CodeFindings pages={pages} count={findingCount} />
      <p className="dashboard-lead code-feeds">
        Atom feeds of the findings:{' '}
        {[...libraries].map(([id, name], index) => (
          <span key={id}>
            {index ? ', ' : ''}
            <Link to={paths.codeChecksFeed(id)}>{name}</Link>
          </span>
        ))}
      </p>
      <CodeWeeks weeks={weeks} />
      {problems.length > 0 ? (
        <DataTable
          caption="Not checked"
          rows={problems}
          columns={PROBLEMS}
          rowKey={({ version, text }) => `${version}: ${text}`}
          empty=""
        />
      ) : null}
    </>
  )
}
