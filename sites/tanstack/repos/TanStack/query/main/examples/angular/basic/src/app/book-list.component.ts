import { Component, inject, output } from '@angular/core'
import { QueryClient, injectQuery, noop } from '@tanstack/angular-query-experimental'
import { AddBookComponent } from './add-book.component'
import { bookQuery, booksQuery } from './queries'

@Component({
  selector: 'app-book-list',
  imports: [AddBookComponent],
  template: `
    @if (books.isPending()) {
      <p>Fetching the list…</p>
    } @else if (books.isError()) {
      <p role="alert">{{ books.error().message }}</p>
    } @else {
      <h1>
        Reading list <small role="status">{{ books.isFetching() ? 'checking for news…' : '' }}</small>
      </h1>
      <ul>
        @for (book of books.data(); track book.id) {
          <li>
            <button type="button" (click)="opened.emit(book.id)" (pointerenter)="warm(book.id)">
              {{ book.title }}
            </button>
          </li>
        }
      </ul>
      <app-add-book />
    }
  `,
})
export class BookListComponent {
  readonly #queryClient = inject(QueryClient)

  readonly opened = output<number>()
  readonly books = injectQuery(() => booksQuery)

  // Pointing at a title is a good hint that it will be opened. If this guess fails to load, the
  // page itself will ask again and show the error.
  warm(id: number) {
    void this.#queryClient.query(bookQuery(id)).catch(noop)
  }
}
