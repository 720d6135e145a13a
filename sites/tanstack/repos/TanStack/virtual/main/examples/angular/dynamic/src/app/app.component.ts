import { Component, computed, effect, signal, viewChild, viewChildren } from '@angular/core'
import type { ElementRef } from '@angular/core'
import { injectVirtualizer } from '@tanstack/angular-virtual'
import { makeEntries } from './entries'

@Component({
  selector: 'app-root',
  template: `
    <main>
      <h1>A log of {{ count }} entries</h1>
      <form (submit)="jump($event, line.valueAsNumber)">
        <label>
          Go to entry <input #line type="number" min="1" [max]="entries.length" value="5000" required />
        </label>
        <button>Go</button>
        <output>{{ rows().length }} entries in the page</output>
      </form>

      <div #scroller class="scroller" tabindex="0" role="region" aria-label="Log entries">
        <div class="sizer" [style.height.px]="virtualizer.getTotalSize()">
          <div class="block" [style.transform]="'translateY(' + (rows()[0]?.item?.start ?? 0) + 'px)'">
            @for (row of rows(); track row.entry.id) {
              <article #measured [attr.data-index]="row.item.index" class="entry">
                <button [attr.aria-expanded]="open().has(row.entry.id)" (click)="toggle(row.entry.id)">
                  <b>{{ row.item.index + 1 }}</b>&ngsp;<span [class]="row.entry.level">{{ row.entry.level }}</span>
                </button>
                <p>{{ row.entry.text }}</p>
                @if (open().has(row.entry.id)) {
                  <dl>
                    <dt>Key</dt>
                    <dd>{{ row.entry.id }}</dd>
                    <dt>Starts at</dt>
                    <dd>{{ round(row.item.start) }} px</dd>
                    <dt>Height</dt>
                    <dd>{{ round(row.item.size) }} px</dd>
                  </dl>
                }
              </article>
            }
          </div>
        </div>
      </div>
    </main>
  `,
  // Not in styles.css: a production build loads that late, and without its height the scroll
  // element would have room for all entries.
  styleUrl: './app.component.css',
})
export class AppComponent {
  readonly entries = makeEntries(10_000)
  readonly count = this.entries.length.toLocaleString()
  readonly round = Math.round
  readonly open = signal<ReadonlySet<string>>(new Set())

  readonly scroller = viewChild<ElementRef<HTMLDivElement>>('scroller')
  readonly measured = viewChildren<ElementRef<HTMLElement>>('measured')

  readonly virtualizer = injectVirtualizer<HTMLDivElement, HTMLElement>(() => ({
    scrollElement: this.scroller(),
    count: this.entries.length,
    // Most entries are two lines; the real height is measured once an entry is on the page.
    estimateSize: () => 68,
    // Heights are remembered by key, so a stable key keeps them with their entry.
    getItemKey: (index) => this.entries[index]?.id ?? index,
    overscan: 4,
  }))

  readonly rows = computed(() =>
    this.virtualizer.getVirtualItems().flatMap((item) => {
      const entry = this.entries[item.index]
      return entry ? [{ item, entry }] : []
    }),
  )

  constructor() {
    effect(() => {
      for (const { nativeElement } of this.measured()) this.virtualizer.measureElement(nativeElement)
    })
  }

  toggle(id: string) {
    this.open.update((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }

  jump(event: Event, wanted: number) {
    event.preventDefault()
    this.virtualizer.scrollToIndex(wanted - 1, { align: 'start' })
  }
}
