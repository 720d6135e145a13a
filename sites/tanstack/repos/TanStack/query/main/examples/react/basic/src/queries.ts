import { queryOptions } from '@tanstack/react-query'
import { fetchBook, fetchBooks } from './api'

// Every key starts with 'books', so invalidating ['books'] reaches the list and the details.
export const booksQuery = queryOptions({
  queryKey: ['books', 'list'],
  queryFn: ({ signal }) => fetchBooks(signal),
})

export const bookQuery = (id: number) =>
  queryOptions({
    queryKey: ['books', 'detail', id],
    queryFn: ({ signal }) => fetchBook(id, signal),
    staleTime: 10_000,
  })
