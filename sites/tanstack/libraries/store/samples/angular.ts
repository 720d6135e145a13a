import { Component } from '@angular/core'
import { createStore, injectSelector } from '@tanstack/angular-store'

const basket = createStore({ apples: 2, pears: 1 })

// Follows the basket, and is worked out again only when it changes.
const pieces = createStore(() => basket.state.apples + basket.state.pears)

@Component({
  selector: 'app-basket',
  template: `
    <button (click)="addApple()">{{ apples() }} apples</button>
    <p>{{ total() }} pieces in the basket</p>
  `,
})
export class BasketComponent {
  // Pears may come and go: this signal changes with apples only.
  readonly apples = injectSelector(basket, (state) => state.apples)
  readonly total = injectSelector(pieces)

  addApple() {
    basket.setState((state) => ({ ...state, apples: state.apples + 1 }))
  }
}
