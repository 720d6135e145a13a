import { Component, input, output } from '@angular/core'
import { injectQuery } from '@tanstack/angular-query-experimental'
import { bookQuery } from './queries'

@Component({
  selector: 'app-book-page',
  template: `
    <button type="button" (click)="back.emit()">Back to the list</button>
    @if (book.isPending()) {
      <p>Fetching the book…</p>
    } @else if (book.isError()) {
      <p role="alert">{{ book.error().message }}</p>
    } @else if (book.data(); as data) {
      <article>
        <h1>
          {{ data.title }} <small role="status">{{ book.isFetching() ? 'checking for news…' : '' }}</small>
        </h1>
        <p>{{ data.author }}, {{ data.pages }} pages</p>
      </article>
    }
  `,
})
export class BookPageComponent {
  readonly id = input.required<number>()
  readonly back = output()

  // The function is tracked: another id is another query.
  readonly book = injectQuery(() => bookQuery(this.id()))
}
