import { Component, signal } from '@angular/core'
import { BookListComponent } from './book-list.component'
import { BookPageComponent } from './book-page.component'

@Component({
  selector: 'app-root',
  imports: [BookListComponent, BookPageComponent],
  template: `
    <main>
      @if (bookId(); as id) {
        <app-book-page [id]="id" (back)="bookId.set(undefined)" />
      } @else {
        <app-book-list (opened)="bookId.set($event)" />
      }
    </main>
  `,
})
export class AppComponent {
  readonly bookId = signal<number | undefined>(undefined)
}
