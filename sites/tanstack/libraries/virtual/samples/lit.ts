import { VirtualizerController } from '@tanstack/lit-virtual'
import { LitElement, css, html } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import { createRef, ref } from 'lit/directives/ref.js'
import { repeat } from 'lit/directives/repeat.js'

export interface Person {
  id: string
  name: string
}

@customElement('people-list')
export class PeopleList extends LitElement {
  static styles = css`
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
  `

  @property({ attribute: false }) people: Array<Person> = []

  private readonly scroller = createRef<HTMLDivElement>()

  private readonly rows = new VirtualizerController<HTMLDivElement, HTMLLIElement>(this, {
    count: 0,
    getScrollElement: () => this.scroller.value ?? null,
    estimateSize: () => 40,
  })

  protected willUpdate() {
    const virtualizer = this.rows.getVirtualizer()
    virtualizer.setOptions({ ...virtualizer.options, count: this.people.length })
  }

  protected render() {
    const virtualizer = this.rows.getVirtualizer()

    return html`
      <div ${ref(this.scroller)} class="scroller">
        <ul style="height: ${virtualizer.getTotalSize()}px">
          ${repeat(
            virtualizer.getVirtualItems(),
            (item) => item.key,
            (item) => html`
              <li style="height: ${item.size}px; transform: translateY(${item.start}px)">
                ${this.people[item.index]?.name}
              </li>
            `,
          )}
        </ul>
      </div>
    `
  }
}
