import { Component, inject } from '@angular/core'
import { QueryClient, injectMutation, injectQuery } from '@tanstack/angular-query-experimental'
import { addBook, fetchBooks } from './api'

@Component({
  selector: 'app-books',
  template: `
    @if (books.isPending()) {
      <p>Fetching the list…</p>
    } @else if (books.isError()) {
      <p role="alert">{{ books.error().message }}</p>
    } @else {
      <ul [attr.aria-busy]="books.isFetching()">
        @for (book of books.data(); track book.id) {
          <li>{{ book.title }}</li>
        }
      </ul>
      <button [disabled]="add.isPending()" (click)="add.mutate('Solaris')">
        {{ add.isPending() ? 'Adding…' : 'Add Solaris' }}
      </button>
    }
  `,
})
export class BooksComponent {
  readonly #queryClient = inject(QueryClient)

  readonly books = injectQuery(() => ({ queryKey: ['books'], queryFn: fetchBooks }))

  readonly add = injectMutation(() => ({
    mutationFn: addBook,
    onSuccess: () => this.#queryClient.invalidateQueries({ queryKey: ['books'] }),
  }))
}
