import { For, Show, createSignal } from 'solid-js'
import { render } from 'solid-js/web'
import { createVirtualizer } from '@tanstack/solid-virtual'
import { makeEntries } from './entries'
import './styles.css'

const entries = makeEntries(10_000)

function Log() {
  let scroller!: HTMLDivElement
  const [open, setOpen] = createSignal<ReadonlySet<string>>(new Set())

  const virtualizer = createVirtualizer<HTMLDivElement, HTMLElement>({
    count: entries.length,
    getScrollElement: () => scroller,
    // Most entries are two lines; the real height is measured once an entry is on the page.
    estimateSize: () => 68,
    // Heights are remembered by key, so a stable key keeps them with their entry.
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 4,
  })

  // The element gets its data-index and its place in the page right after the ref.
  const measure = (element: HTMLElement) =>
    queueMicrotask(() => virtualizer.measureElement(element))

  function toggle(id: string) {
    setOpen((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }

  function jump(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault()
    const wanted = Number(new FormData(event.currentTarget).get('line'))
    virtualizer.scrollToIndex(wanted - 1, { align: 'start' })
  }

  return (
    <main>
      <h1>A log of {entries.length.toLocaleString()} entries</h1>
      <form onSubmit={jump}>
        <label>
          Go to entry <input name="line" type="number" min={1} max={entries.length} value={5000} required />
        </label>
        <button>Go</button>
        <output>{virtualizer.getVirtualItems().length} entries in the page</output>
      </form>

      <div ref={scroller} class="scroller" tabIndex={0} role="region" aria-label="Log entries">
        <div class="sizer" style={{ height: `${virtualizer.getTotalSize()}px` }}>
          <div
            class="block"
            style={{ transform: `translateY(${virtualizer.getVirtualItems()[0]?.start ?? 0}px)` }}
          >
            <For each={virtualizer.getVirtualItems()}>
              {(item) => (
                <Show when={entries[item.index]}>
                  {(entry) => (
                    <article ref={measure} data-index={item.index} class="entry">
                      <button aria-expanded={open().has(entry().id)} onClick={() => toggle(entry().id)}>
                        <b>{item.index + 1}</b> <span class={entry().level}>{entry().level}</span>
                      </button>
                      <p>{entry().text}</p>
                      <Show when={open().has(entry().id)}>
                        <dl>
                          <dt>Key</dt>
                          <dd>{entry().id}</dd>
                          <dt>Starts at</dt>
                          <dd>{Math.round(item.start)} px</dd>
                          <dt>Height</dt>
                          <dd>{Math.round(item.size)} px</dd>
                        </dl>
                      </Show>
                    </article>
                  )}
                </Show>
              )}
            </For>
          </div>
        </div>
      </div>
    </main>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

render(() => <Log />, root)
