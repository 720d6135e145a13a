import type { ReactNode } from 'react'
import { paths, serverPath } from '../../lib/paths'
import type { FailedSearch } from '../../lib/search'
import { SEARCH_FAILED_HTML, SEARCH_LOADING_HTML } from '../../lib/searchFrame'
import { LATEST } from '../../lib/version'
import { NoResults } from './NoResults'
import { ResultRow } from './ResultRow'
import { SavedPages } from './SavedPages'
import { SearchFailure } from './SearchFailure'
import { SearchIntroduction } from './SearchIntroduction'
import { SearchSkeleton } from './SearchSkeleton'
import { useShell } from '../ui/useShell'

const OFFLINE: FailedSearch = { reached: false, message: 'Check your connection.' }
const PREPARING: FailedSearch = {
  reached: true,
  message: 'Search is starting up. Try again in a minute.',
}

function nothing(): void {
  // These samples change nothing.
}

/** Everything that the search dialog and the search page show, in both themes: for `/design`. */
export function SearchStates({ examples }: { examples: readonly string[] }) {
  const [library] = useShell().libraries
  const widen = (
    <button type="button" className="text-button">
      search every library
    </button>
  )
  const recent = library
    ? [{ url: paths.docs(library.id, LATEST, library.defaultDocs), title: 'Overview', library: library.id }]
    : []
  return (
    <>
      <SearchState name="First visit">
        <SearchIntroduction examples={examples} onTry={nothing} />
      </SearchState>
      <SearchState name="Recent pages">
        <SavedPages name="Recent" pages={recent} close={nothing} onRemove={nothing} onKeep={nothing} />
      </SearchState>
      <SearchState name="Results">
        <SampleResults />
      </SearchState>
      <SearchState name="Waiting for the first answer">
        <SearchSkeleton />
      </SearchState>
      <SearchState name="Waiting, with the results of the previous query" status="stalled">
        <SampleResults />
      </SearchState>
      <SearchState name="No results">
        <NoResults query="zzzz" library={library?.id ?? null} widen={null} />
      </SearchState>
      <SearchState name="No results with filters">
        <NoResults query="privacy" library={library?.id ?? null} widen={widen} />
      </SearchState>
      <SearchState name="Offline">
        <SearchFailure failure={OFFLINE} onRetry={nothing} />
      </SearchState>
      <SearchState name="The server cannot answer">
        <SearchFailure failure={PREPARING} onRetry={nothing} />
      </SearchState>
      <SearchState name="The dialog loads slowly">
        <FrameContent html={SEARCH_LOADING_HTML} />
      </SearchState>
      <SearchState name="The dialog cannot load">
        <FrameContent html={SEARCH_FAILED_HTML} />
      </SearchState>
    </>
  )
}

interface SearchStateProps {
  name: string
  status?: 'stalled'
  children: ReactNode
}

function SearchState({ name, status, children }: SearchStateProps) {
  return (
    <div className="search-state">
      <h3>{name}</h3>
      <div className="design-themes">
        <div data-theme-preview="light" className="search-body" data-status={status}>
          {children}
        </div>
        {/* The same once more: read and used in the first one. */}
        <div data-theme-preview="dark" className="search-body" data-status={status} inert>
          {children}
        </div>
      </div>
    </div>
  )
}

function SampleResults() {
  const [library] = useShell().libraries
  if (!library) return null
  return (
    <>
      <ResultRow
        to={paths.docs(library.id, LATEST, library.defaultDocs)}
        library={library.id}
        title={
          <>
            <mark>Over</mark>view
          </>
        }
        trail={[{ key: '2', heading: 'Motivation' }]}
        text={library.tagline}
        badges={['API']}
      />
      <ResultRow
        to={serverPath('/support')}
        library=""
        title="Help and support"
        trail={[]}
        text="Where to ask a question."
        badges={['This site']}
      />
    </>
  )
}

/** What the boot script shows while the files of the search are missing. */
function FrameContent({ html }: { html: string }) {
  // oxlint-disable-next-line react/no-danger -- a constant of this site
  return <div dangerouslySetInnerHTML={{ __html: html }} />
}
