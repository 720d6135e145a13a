import { CurrencyPipe } from '@angular/common'
import { Component, input, linkedSignal } from '@angular/core'
import { injectSelector } from '@tanstack/angular-store'
import { basketStore } from './basket'
import type { Line } from './basket'

@Component({
  // An attribute, so that the list item itself is the component.
  selector: 'li[row]',
  imports: [CurrencyPipe],
  template: `
    @if (line(); as line) {
      <span>{{ line.name }}, {{ line.price | currency: 'EUR' }}</span>
      <button [attr.aria-label]="'One ' + line.name + ' less'" (click)="change(row(), -1)">−</button>
      <output>{{ line.count }}</output>
      <button [attr.aria-label]="'One ' + line.name + ' more'" (click)="change(row(), 1)">+</button>
      <small>updated {{ updates() }}×</small>
    }
  `,
})
export class RowComponent {
  readonly row = input.required<string>()
  readonly line = injectSelector(basketStore, (basket) => basket[this.row()])
  readonly change = basketStore.actions.change

  // Counts how often this line has arrived, the first time included.
  readonly updates = linkedSignal<Line | undefined, number>({
    source: this.line,
    computation: (_line, previous) => (previous?.value ?? 0) + 1,
  })
}
