import { VirtualizerController } from '@tanstack/lit-virtual'
import { LitElement, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { createRef, ref } from 'lit/directives/ref.js'
import { repeat } from 'lit/directives/repeat.js'
import { makeEntries } from './entries'
import './styles.css'

const entries = makeEntries(10_000)

@customElement('event-log')
export class EventLog extends LitElement {
  @state() private open: ReadonlySet<string> = new Set()

  private readonly scroller = createRef<HTMLDivElement>()

  private readonly rows = new VirtualizerController<HTMLDivElement, HTMLElement>(this, {
    count: entries.length,
    getScrollElement: () => this.scroller.value ?? null,
    // Most entries are two lines; the real height is measured once an entry is on the page.
    estimateSize: () => 68,
    // Heights are remembered by key, so a stable key keeps them with their entry.
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 4,
  })

  // No shadow root, so that styles.css applies as it does to any page.
  protected createRenderRoot() {
    return this
  }

  // Only here are new entries in the page and have a height.
  protected updated() {
    const virtualizer = this.rows.getVirtualizer()
    this.renderRoot.querySelectorAll<HTMLElement>('[data-index]').forEach(virtualizer.measureElement)
  }

  private toggle(id: string) {
    const open = new Set(this.open)
    if (!open.delete(id)) open.add(id)
    this.open = open
  }

  private jump(event: SubmitEvent) {
    event.preventDefault()
    const wanted = Number(new FormData(event.currentTarget as HTMLFormElement).get('line'))
    this.rows.getVirtualizer().scrollToIndex(wanted - 1, { align: 'start' })
  }

  protected render() {
    const virtualizer = this.rows.getVirtualizer()
    const items = virtualizer.getVirtualItems()

    return html`
      <main>
        <h1>A log of ${entries.length.toLocaleString()} entries</h1>
        <form @submit=${this.jump}>
          <label>
            Go to entry
            <input name="line" type="number" min="1" max=${entries.length} value="5000" required />
          </label>
          <button>Go</button>
          <output>${items.length} entries in the page</output>
        </form>

        <div ${ref(this.scroller)} class="scroller" tabindex="0" role="region" aria-label="Log entries">
          <div class="sizer" style="height: ${virtualizer.getTotalSize()}px">
            <div class="block" style="transform: translateY(${items[0]?.start ?? 0}px)">
              ${repeat(
                items,
                (item) => item.key,
                (item) => this.entry(item.index, item.start, item.size),
              )}
            </div>
          </div>
        </div>
      </main>
    `
  }

  private entry(index: number, start: number, size: number) {
    const entry = entries[index]
    if (!entry) return nothing
    const isOpen = this.open.has(entry.id)

    return html`
      <article data-index=${index} class="entry">
        <button aria-expanded=${isOpen} @click=${() => this.toggle(entry.id)}>
          <b>${index + 1}</b> <span class=${entry.level}>${entry.level}</span>
        </button>
        <p>${entry.text}</p>
        ${isOpen
          ? html`
              <dl>
                <dt>Key</dt>
                <dd>${entry.id}</dd>
                <dt>Starts at</dt>
                <dd>${Math.round(start)} px</dd>
                <dt>Height</dt>
                <dd>${Math.round(size)} px</dd>
              </dl>
            `
          : nothing}
      </article>
    `
  }
}
