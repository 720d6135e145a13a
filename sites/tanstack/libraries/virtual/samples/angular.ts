import { Component, input, viewChild } from '@angular/core'
import type { ElementRef } from '@angular/core'
import { injectVirtualizer } from '@tanstack/angular-virtual'

export interface Person {
  id: string
  name: string
}

@Component({
  selector: 'app-people',
  template: `
    <div #scroller class="scroller">
      <ul [style.height.px]="virtualizer.getTotalSize()">
        @for (item of virtualizer.getVirtualItems(); track item.key) {
          <li [style.height.px]="item.size" [style.transform]="'translateY(' + item.start + 'px)'">
            {{ people()[item.index]?.name }}
          </li>
        }
      </ul>
    </div>
  `,
  styles: `
    .scroller {
      height: 60vh;
      overflow: auto;
    }
    ul {
      position: relative;
      margin: 0;
      padding: 0;
    }
    li {
      position: absolute;
      top: 0;
      width: 100%;
    }
  `,
})
export class PeopleComponent {
  readonly people = input.required<Array<Person>>()
  readonly scroller = viewChild<ElementRef<HTMLDivElement>>('scroller')

  readonly virtualizer = injectVirtualizer(() => ({
    count: this.people().length,
    scrollElement: this.scroller(),
    estimateSize: () => 40,
  }))
}
