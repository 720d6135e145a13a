import { For, Match, Show, Switch, createSignal } from 'solid-js'
import { render } from 'solid-js/web'
import {
  QueryClient,
  QueryClientProvider,
  noop,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/solid-query'
import { SolidQueryDevtools } from '@tanstack/solid-query-devtools'
import { addBook } from './api'
import { bookQuery, booksQuery } from './queries'
import './index.css'

const queryClient = new QueryClient()

function App() {
  const [bookId, setBookId] = createSignal<number>()

  return (
    <main>
      <Show when={bookId()} keyed fallback={<BookList onOpen={setBookId} />}>
        {(id) => <BookPage id={id} onBack={() => setBookId(undefined)} />}
      </Show>
    </main>
  )
}

function BookList(props: { onOpen: (id: number) => void }) {
  const queryClient = useQueryClient()
  const books = useQuery(() => booksQuery)

  // Pointing at a title is a good hint that it will be opened. If this guess fails to load, the
  // page itself will ask again and show the error.
  const warm = (id: number) => void queryClient.query(bookQuery(id)).catch(noop)

  return (
    <Switch>
      <Match when={books.isPending}>
        <p>Fetching the list…</p>
      </Match>
      <Match when={books.isError}>
        <p role="alert">{books.error?.message}</p>
      </Match>
      <Match when={books.isSuccess}>
        <h1>
          Reading list <Activity busy={books.isFetching} />
        </h1>
        <ul>
          <For each={books.data}>
            {(book) => (
              <li>
                <button
                  type="button"
                  onClick={() => props.onOpen(book.id)}
                  onPointerEnter={() => warm(book.id)}
                >
                  {book.title}
                </button>
              </li>
            )}
          </For>
        </ul>
        <AddBook />
      </Match>
    </Switch>
  )
}

function AddBook() {
  const queryClient = useQueryClient()
  const add = useMutation(() => ({
    mutationFn: addBook,
    // Returning the promise keeps the mutation pending until the list is up to date.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: booksQuery.queryKey }),
  }))

  function submit(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    add.mutate(
      {
        title: String(fields.get('title')),
        author: String(fields.get('author')),
        pages: Number(fields.get('pages')),
      },
      { onSuccess: () => form.reset() },
    )
  }

  return (
    <form onSubmit={submit}>
      <h2>Add a book</h2>
      <label>
        Title <input name="title" required />
      </label>
      <label>
        Author <input name="author" required />
      </label>
      <label>
        Pages <input name="pages" type="number" min={1} required />
      </label>
      <button type="submit" disabled={add.isPending}>
        {add.isPending ? 'Adding…' : 'Add'}
      </button>
      <Show when={add.isError}>
        <p role="alert">{add.error?.message}</p>
      </Show>
    </form>
  )
}

function BookPage(props: { id: number; onBack: () => void }) {
  const book = useQuery(() => bookQuery(props.id))

  return (
    <>
      <button type="button" onClick={props.onBack}>
        Back to the list
      </button>
      <Switch>
        <Match when={book.isPending}>
          <p>Fetching the book…</p>
        </Match>
        <Match when={book.isError}>
          <p role="alert">{book.error?.message}</p>
        </Match>
        <Match when={book.data}>
          {(data) => (
            <article>
              <h1>
                {data().title} <Activity busy={book.isFetching} />
              </h1>
              <p>
                {data().author}, {data().pages} pages
              </p>
            </article>
          )}
        </Match>
      </Switch>
    </>
  )
}

function Activity(props: { busy: boolean }) {
  return <small role="status">{props.busy ? 'checking for news…' : ''}</small>
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element')

render(
  () => (
    <QueryClientProvider client={queryClient}>
      <App />
      <SolidQueryDevtools />
    </QueryClientProvider>
  ),
  root,
)
