import { For, Match, Switch } from 'solid-js'
import { useMutation, useQuery, useQueryClient } from '@tanstack/solid-query'
import { addBook, fetchBooks } from './api'

export function Books() {
  const queryClient = useQueryClient()
  const books = useQuery(() => ({ queryKey: ['books'], queryFn: fetchBooks }))
  const add = useMutation(() => ({
    mutationFn: addBook,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['books'] }),
  }))

  return (
    <Switch>
      <Match when={books.isPending}>
        <p>Fetching the list…</p>
      </Match>
      <Match when={books.isError}>
        <p role="alert">{books.error?.message}</p>
      </Match>
      <Match when={books.isSuccess}>
        <ul aria-busy={books.isFetching}>
          <For each={books.data}>{(book) => <li>{book.title}</li>}</For>
        </ul>
        <button disabled={add.isPending} onClick={() => add.mutate('Solaris')}>
          {add.isPending ? 'Adding…' : 'Add Solaris'}
        </button>
      </Match>
    </Switch>
  )
}
