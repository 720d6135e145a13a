import { StrictMode, useState } from 'react'
import type { FormEvent } from 'react'
import { createRoot } from 'react-dom/client'
import {
  QueryClient,
  QueryClientProvider,
  noop,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { ReactQueryDevtools } from '@tanstack/react-query-devtools'
import { addBook } from './api'
import { bookQuery, booksQuery } from './queries'
import './index.css'

const queryClient = new QueryClient()

function App() {
  const [bookId, setBookId] = useState<number>()

  return (
    <main>
      {bookId === undefined ? (
        <BookList onOpen={setBookId} />
      ) : (
        <BookPage id={bookId} onBack={() => setBookId(undefined)} />
      )}
    </main>
  )
}

function BookList({ onOpen }: { onOpen: (id: number) => void }) {
  const queryClient = useQueryClient()
  const books = useQuery(booksQuery)

  if (books.isPending) return <p>Fetching the list…</p>
  if (books.isError) return <p role="alert">{books.error.message}</p>

  return (
    <>
      <h1>
        Reading list <Activity busy={books.isFetching} />
      </h1>
      <ul>
        {books.data.map((book) => (
          <li key={book.id}>
            <button
              type="button"
              onClick={() => onOpen(book.id)}
              // Pointing at a title is a good hint that it will be opened. If this guess fails to
              // load, the page itself will ask again and show the error.
              onPointerEnter={() => void queryClient.query(bookQuery(book.id)).catch(noop)}
            >
              {book.title}
            </button>
          </li>
        ))}
      </ul>
      <AddBook />
    </>
  )
}

function AddBook() {
  const queryClient = useQueryClient()
  const add = useMutation({
    mutationFn: addBook,
    // Returning the promise keeps the mutation pending until the list is up to date.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: booksQuery.queryKey }),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
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
      {add.isError && <p role="alert">{add.error.message}</p>}
    </form>
  )
}

function BookPage({ id, onBack }: { id: number; onBack: () => void }) {
  const book = useQuery(bookQuery(id))

  return (
    <>
      <button type="button" onClick={onBack}>
        Back to the list
      </button>
      {book.isPending && <p>Fetching the book…</p>}
      {book.isError && <p role="alert">{book.error.message}</p>}
      {book.isSuccess && (
        <article>
          <h1>
            {book.data.title} <Activity busy={book.isFetching} />
          </h1>
          <p>
            {book.data.author}, {book.data.pages} pages
          </p>
        </article>
      )}
    </>
  )
}

function Activity({ busy }: { busy: boolean }) {
  return <small role="status">{busy ? 'checking for news…' : ''}</small>
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root element')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
      <ReactQueryDevtools />
    </QueryClientProvider>
  </StrictMode>,
)
