import { CurrencyPipe } from '@angular/common'
import { Component } from '@angular/core'
import { injectSelector, shallow } from '@tanstack/angular-store'
import { basketStore, totalsStore } from './basket'
import { RowComponent } from './row.component'

@Component({
  selector: 'app-root',
  imports: [CurrencyPipe, RowComponent],
  template: `
    <main>
      <h1>Basket</h1>
      <ul>
        @for (id of ids(); track id) {
          <li [row]="id"></li>
        }
      </ul>
      <p>
        {{ totals().pieces }} pieces, <strong>{{ totals().price | currency: 'EUR' }}</strong>
      </p>
    </main>
  `,
})
export class AppComponent {
  // Object.keys makes a new array each time; shallow compares what is in it.
  readonly ids = injectSelector(basketStore, (basket) => Object.keys(basket), { compare: shallow })
  readonly totals = injectSelector(totalsStore)
}
