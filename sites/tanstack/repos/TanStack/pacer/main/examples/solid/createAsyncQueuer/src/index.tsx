import { For, Show, createSignal, onCleanup } from 'solid-js'
import { render } from 'solid-js/web'
import { createAsyncQueuer } from '@tanstack/solid-pacer'
import { upload } from './upload'
import './styles.css'

function Uploads() {
  const [failed, setFailed] = createSignal<ReadonlyArray<File>>([])

  // Ends the uploads that are under way when this component goes.
  const leaving = new AbortController()
  onCleanup(() => leaving.abort())

  const queue = createAsyncQueuer(
    (file: File) => upload(file, leaving.signal),
    {
      concurrency: 2,
      asyncRetryerOptions: { maxAttempts: 3, baseWait: 500, backoff: 'exponential' },
      // Without a handler, a failed upload would be counted and forgotten.
      onError: (_error, file) => setFailed((files) => [...files, file]),
    },
    // The queue changes its lists in place; a copy is what makes the change visible.
    ({ items, activeItems, successCount, isRunning }) => ({
      waiting: [...items],
      sending: [...activeItems],
      successCount,
      isRunning,
    }),
  )

  // Items added one by one to a running queue start a single worker, until the first of them is done.
  // Added while it is stopped, they start as many as `concurrency` allows.
  function add(files: Iterable<File>) {
    const wasRunning = queue.state().isRunning
    queue.stop()
    for (const file of files) queue.addItem(file)
    if (wasRunning) queue.start()
  }

  function choose(input: HTMLInputElement) {
    add(input.files ?? [])
    input.value = '' // so that the same file can be chosen again
  }

  function sendAgain() {
    const files = failed()
    setFailed([])
    add(files)
  }

  return (
    <main>
      <h1>Uploads</h1>
      <p>
        <label>
          Add files <input type="file" multiple onChange={(event) => choose(event.currentTarget)} />
        </label>
        <button type="button" onClick={() => (queue.state().isRunning ? queue.stop() : queue.start())}>
          {queue.state().isRunning ? 'Pause' : 'Resume'}
        </button>
        <button type="button" disabled={queue.state().waiting.length === 0} onClick={() => queue.clear()}>
          Forget those that wait
        </button>
      </p>

      <p role="status">
        {queue.state().sending.length} under way, {queue.state().waiting.length} waiting, {queue.state().successCount} done.
      </p>
      <ul>
        <For each={queue.state().sending}>{(file) => <li class="sending">{file.name}</li>}</For>
        <For each={queue.state().waiting}>{(file) => <li>{file.name}</li>}</For>
      </ul>

      <Show when={failed().length > 0}>
        <p role="alert">
          {failed().length} did not arrive.{' '}
          <button type="button" onClick={sendAgain}>
            Send again
          </button>
        </p>
      </Show>
    </main>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

render(() => <Uploads />, root)
