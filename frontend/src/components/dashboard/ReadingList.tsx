import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import type { Load } from '../../api/call'
import type { PageState } from '../../api/generated'
import { formatDate } from '../../lib/format'
import { serverPath } from '../../lib/paths'
import type { Saved } from '../../lib/accounts/savedItems'
import { removeItem } from '../../lib/accounts/savedItems'
import { Badge } from '../ui/Badge'
import { IconButton } from '../ui/Button'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'
import { DashboardSection } from './DashboardSection'
import { useSavedItems } from '../ui/useSavedItems'

const MOST_READING = 12

/** Pages that the reader has not finished, and bookmarks. Both show which pages have changed since. */
export function ReadingList({ load }: { load: Load }) {
  const reading = useSavedItems('reading')?.slice(0, MOST_READING)
  const bookmarks = useSavedItems('bookmark')
  const states = usePageStates(load, [...(reading ?? []), ...(bookmarks ?? [])])
  return (
    <>
      <DashboardSection
        title="Continue reading"
        items={reading}
        empty="Docs pages that you read appear here, so that you can pick up where you left off."
      >
        {(page) => (
          <PageRow key={page.key} page={page} kind="reading" state={states.get(page.key)} href={page.value.progress < 95 ? page.value.heading : ''}>
            <Progress percent={page.value.progress} title={page.value.title} />
          </PageRow>
        )}
      </DashboardSection>
      <DashboardSection
        title="Bookmarks"
        items={bookmarks}
        empty="Press the bookmark button at the top of a docs page to list it here."
      >
        {(page) => <PageRow key={page.key} page={page} kind="bookmark" state={states.get(page.key)} href={page.value.heading} />}
      </DashboardSection>
    </>
  )
}

interface RowProps {
  page: Saved<'reading'> | Saved<'bookmark'>
  kind: 'reading' | 'bookmark'
  state: PageState | undefined
  /** The id of the heading to begin at. */
  href: string
  children?: ReactNode
}

function PageRow({ page: { key, value }, kind, state, href, children }: RowProps) {
  const library = useShell().libraries.find(({ id }) => id === value.library)
  return (
    <li className="saved-row">
      <div className="saved-main">
        <Link to={serverPath(href ? `${key}#${href}` : key)}>{value.title}</Link>
        <p className="saved-about">
          {library?.name ?? value.library}
          {state?.state === 'changed' ? (
            <Badge tone="new">changed{state.updated ? ` ${formatDate(state.updated)}` : ''}</Badge>
          ) : null}
          {state?.state === 'missing' ? <Badge tone="alpha">removed</Badge> : null}
        </p>
      </div>
      {children}
      <IconButton icon="close" label={`Remove ${value.title}`} onClick={() => removeItem(kind, key)} />
    </li>
  )
}

function Progress({ percent, title }: { percent: number; title: string }) {
  return <meter className="saved-progress" min={0} max={100} value={percent} aria-label={`Read ${percent}% of ${title}`} />
}

/** Which pages have changed since they were saved. Without an answer, nothing is marked. */
function usePageStates(load: Load, pages: (Saved<'reading'> | Saved<'bookmark'>)[]): ReadonlyMap<string, PageState> {
  const [states, setStates] = useState<ReadonlyMap<string, PageState>>(new Map())
  const known = JSON.stringify(pages.slice(0, 60).map(({ key, value }) => ({ address: key, digest: value.digest })))
  useEffect(() => {
    // Made of the state above.
    const list = JSON.parse(known) as { address: string; digest: string }[]
    if (list.length === 0) return
    load('docs.changed', { pages: list }).then(
      (found) => setStates(new Map(found.map((state) => [state.address, state]))),
      () => undefined,
    )
  }, [load, known])
  return states
}
