import { For, Match, Switch } from 'solid-js'
import { createMutation, createQuery, useQueryClient } from '@tanstack/solid-query'
import { addBook, fetchBooks } from './api'

export function Books() {
  const queryClient = useQueryClient()
  const books = createQuery(() => ['books'], fetchBooks)
  const add = createMutation({
    mutationFn: addBook,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['books'] }),
  })

  return (
    <Switch>
      <Match when={books.isLoading}>
        <p>Fetching the list…</p>
      </Match>
      <Match when={books.isError}>
        <p role="alert">{String(books.error)}</p>
      </Match>
      <Match when={books.isSuccess}>
        <ul aria-busy={books.isFetching}>
          <For each={books.data}>{(book) => <li>{book.title}</li>}</For>
        </ul>
        <button disabled={add.isLoading} onClick={() => add.mutate('Solaris')}>
          {add.isLoading ? 'Adding…' : 'Add Solaris'}
        </button>
      </Match>
    </Switch>
  )
}
