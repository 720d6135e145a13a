import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { addBook, fetchBooks } from './api'

export function Books() {
  const queryClient = useQueryClient()
  const books = useQuery({ queryKey: ['books'], queryFn: fetchBooks })
  const add = useMutation({
    mutationFn: addBook,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['books'] }),
  })

  if (books.isPending) return <p>Fetching the list…</p>
  if (books.isError) return <p role="alert">{books.error.message}</p>

  return (
    <>
      <ul aria-busy={books.isFetching}>
        {books.data.map((book) => (
          <li key={book.id}>{book.title}</li>
        ))}
      </ul>
      <button disabled={add.isPending} onClick={() => add.mutate('Solaris')}>
        {add.isPending ? 'Adding…' : 'Add Solaris'}
      </button>
    </>
  )
}
