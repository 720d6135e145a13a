import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useDebouncer } from '@tanstack/react-pacer'
import { birds, findBirds } from './birds'
import './styles.css'

function Search() {
  const [text, setText] = useState('')
  const [wait, setWait] = useState(500)
  const [found, setFound] = useState(birds)

  const search = useDebouncer(
    (query: string) => setFound(findBirds(query)),
    { wait },
    // Without this selector the component would not render when the debouncer's state changes.
    ({ isPending, executionCount, maybeExecuteCount }) => ({ isPending, executionCount, maybeExecuteCount }),
  )

  function change(query: string) {
    setText(query) // the field itself must never lag
    search.maybeExecute(query)
  }

  const { isPending, executionCount, maybeExecuteCount } = search.state

  return (
    <main>
      <h1>Find a bird</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          search.flush() // Enter means now
        }}
      >
        <label>
          Name <input type="search" value={text} onChange={(event) => change(event.target.value)} />
        </label>
        <label>
          Wait {wait} ms
          <input
            type="range"
            min={0}
            max={2000}
            step={100}
            value={wait}
            onChange={(event) => setWait(event.target.valueAsNumber)}
          />
        </label>
        <button disabled={!isPending}>Search now</button>
        <button type="button" disabled={!isPending} onClick={search.cancel}>
          Cancel
        </button>
      </form>

      <p role="status">
        {isPending ? 'Waiting for you to pause…' : `${found.length} found.`}{' '}
        {maybeExecuteCount} keystrokes, {executionCount} searches.
      </p>
      <ul>
        {found.map((bird) => (
          <li key={bird}>{bird}</li>
        ))}
      </ul>
    </main>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <Search />
  </StrictMode>,
)
