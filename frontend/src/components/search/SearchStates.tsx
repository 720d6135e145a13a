import { Html } from '../../api/html'
import { paths, serverPath, withBase } from '../../lib/paths'
import type { FailedSearch } from '../../lib/search/search'
import { SEARCH_FAILED_HTML, SEARCH_LOADING_HTML } from '../../lib/search/searchFrame'
import { LATEST } from '../../lib/docs/version'
import { NoResults } from './NoResults'
import { ResultRow } from './ResultRow'
import { ResultText } from './ResultText'
import { SavedPages } from './SavedPages'
import { SearchFailure } from './SearchFailure'
import { ResultGroup } from './SearchResults'
import { SearchIntroduction } from './SearchIntroduction'
import { SearchSkeleton } from './SearchSkeleton'
import { StatePreview } from '../ui/StatePreview'
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
      <StatePreview name="First visit" className="search-body">
        <SearchIntroduction examples={examples} onTry={nothing} />
      </StatePreview>
      <StatePreview name="Recent pages" className="search-body">
        <SavedPages name="Recent" pages={recent} close={nothing} onRemove={nothing} onKeep={nothing} />
      </StatePreview>
      <StatePreview name="Results" className="search-body">
        <SampleResults />
      </StatePreview>
      <StatePreview name="Results of other libraries" className="search-body">
        <ResultGroup name="In other libraries" isNamed>
          <SampleResults />
        </ResultGroup>
      </StatePreview>
      <StatePreview name="Waiting for the first answer" className="search-body">
        <SearchSkeleton />
      </StatePreview>
      <StatePreview name="Waiting, with the results of the previous query" className="search-body" status="stalled">
        <SampleResults />
      </StatePreview>
      <StatePreview name="No results" className="search-body">
        <NoResults query="zzzz" library={library?.id ?? null} widen={null} />
      </StatePreview>
      <StatePreview name="No results with filters" className="search-body">
        <NoResults query="privacy" library={library?.id ?? null} widen={widen} />
      </StatePreview>
      <StatePreview name="Offline" className="search-body">
        <SearchFailure failure={OFFLINE} onRetry={nothing} />
      </StatePreview>
      <StatePreview name="The server cannot answer" className="search-body">
        <SearchFailure failure={PREPARING} onRetry={nothing} />
      </StatePreview>
      <StatePreview name="The dialog loads slowly" className="search-body">
        <FrameContent html={SEARCH_LOADING_HTML} />
      </StatePreview>
      <StatePreview name="The dialog cannot load" className="search-body">
        <FrameContent html={SEARCH_FAILED_HTML.replace('/search', withBase('/search'))} />
      </StatePreview>
    </>
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
        text={
          <ResultText
            text={[]}
            answer={{
              text: [
                { text: 'The first result shows the ', found: false },
                { text: 'sentences', found: true },
                { text: ' that answer the query, and the code after them:', found: false },
              ],
              code: [{ text: "const { data } = useQuery({\n  queryKey: ['todos'],\n  queryFn: fetchTodos,\n})", found: false }],
            }}
          />
        }
        badges={['API']}
      />
      <ResultRow
        to={serverPath('/support')}
        library=""
        title="Help and support"
        trail={[]}
        text={<ResultText text={[{ text: 'Where to ask a question.', found: false }]} />}
        badges={['This site']}
      />
    </>
  )
}

/** What the boot script shows while the files of the search are missing. */
function FrameContent({ html }: { html: string }) {
  // oxlint-disable-next-line react/no-danger -- a constant of this site
  return <div dangerouslySetInnerHTML={new Html(html).inner} />
}
