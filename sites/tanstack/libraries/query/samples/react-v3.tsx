import { useMutation, useQuery, useQueryClient } from 'react-query'
import { addBook, fetchBooks } from './api'

export function Books() {
  const queryClient = useQueryClient()
  const books = useQuery('books', fetchBooks)
  const add = useMutation(addBook, {
    onSuccess: () => queryClient.invalidateQueries('books'),
  })

  if (books.isLoading) return <p>Fetching the list…</p>
  if (books.isError) return <p role="alert">{String(books.error)}</p>

  return (
    <>
      <ul aria-busy={books.isFetching}>
        {books.data?.map((book) => (
          <li key={book.id}>{book.title}</li>
        ))}
      </ul>
      <button disabled={add.isLoading} onClick={() => add.mutate('Solaris')}>
        {add.isLoading ? 'Adding…' : 'Add Solaris'}
      </button>
    </>
  )
}
