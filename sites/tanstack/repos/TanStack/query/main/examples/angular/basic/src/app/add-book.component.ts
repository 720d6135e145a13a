import { Component, inject } from '@angular/core'
import { QueryClient, injectMutation } from '@tanstack/angular-query-experimental'
import { addBook } from './api'
import { booksQuery } from './queries'

@Component({
  selector: 'app-add-book',
  template: `
    <form #form (submit)="submit($event, form)">
      <h2>Add a book</h2>
      <label>Title <input name="title" required /></label>
      <label>Author <input name="author" required /></label>
      <label>Pages <input name="pages" type="number" min="1" required /></label>
      <button type="submit" [disabled]="add.isPending()">
        {{ add.isPending() ? 'Adding…' : 'Add' }}
      </button>
      @if (add.isError()) {
        <p role="alert">{{ add.error().message }}</p>
      }
    </form>
  `,
})
export class AddBookComponent {
  readonly #queryClient = inject(QueryClient)

  readonly add = injectMutation(() => ({
    mutationFn: addBook,
    // Returning the promise keeps the mutation pending until the list is up to date.
    onSuccess: () => this.#queryClient.invalidateQueries({ queryKey: booksQuery.queryKey }),
  }))

  submit(event: Event, form: HTMLFormElement) {
    event.preventDefault()
    const fields = new FormData(form)
    this.add.mutate(
      {
        title: String(fields.get('title')),
        author: String(fields.get('author')),
        pages: Number(fields.get('pages')),
      },
      { onSuccess: () => form.reset() },
    )
  }
}
