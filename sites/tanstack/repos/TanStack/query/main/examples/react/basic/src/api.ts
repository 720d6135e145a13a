// A server in a file: books live in memory, and every answer takes a moment.

export interface Book {
  id: number
  title: string
  author: string
  pages: number
}

export type NewBook = Omit<Book, 'id'>

const DELAY_MS = 700

let books: Array<Book> = [
  { id: 1, title: 'The Left Hand of Darkness', author: 'Ursula K. Le Guin', pages: 304 },
  { id: 2, title: 'Solaris', author: 'Stanisław Lem', pages: 204 },
  { id: 3, title: 'Kindred', author: 'Octavia E. Butler', pages: 264 },
]

function pause(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, DELAY_MS)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

export async function fetchBooks(signal?: AbortSignal): Promise<Array<Book>> {
  await pause(signal)
  return books
}

export async function fetchBook(id: number, signal?: AbortSignal): Promise<Book> {
  await pause(signal)
  const book = books.find((candidate) => candidate.id === id)
  if (!book) throw new Error(`There is no book number ${id}`)
  return book
}

export async function addBook(book: NewBook): Promise<Book> {
  await pause()
  const added = { ...book, id: Math.max(0, ...books.map(({ id }) => id)) + 1 }
  books = [...books, added]
  return added
}
