import { StrictMode, useCallback, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { createRoot } from 'react-dom/client'
import { useVirtualizer } from '@tanstack/react-virtual'
import { makeEntries } from './entries'
import './styles.css'

const entries = makeEntries(10_000)

function Log() {
  const scrollRef = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())

  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scrollRef.current,
    // Most entries are two lines; the real height is measured once an entry is on the page.
    estimateSize: () => 68,
    // Heights are remembered by key, so a stable key keeps them with their entry.
    getItemKey: useCallback((index: number) => entries[index]?.id ?? index, []),
    overscan: 4,
  })

  const items = virtualizer.getVirtualItems()

  function toggle(id: string) {
    setOpen((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }

  function jump(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const wanted = Number(new FormData(event.currentTarget).get('line'))
    virtualizer.scrollToIndex(wanted - 1, { align: 'start' })
  }

  return (
    <main>
      <h1>A log of {entries.length.toLocaleString()} entries</h1>
      <form onSubmit={jump}>
        <label>
          Go to entry{' '}
          <input name="line" type="number" min={1} max={entries.length} defaultValue={5000} required />
        </label>
        <button>Go</button>
        <output>{items.length} entries in the page</output>
      </form>

      <div ref={scrollRef} className="scroller" tabIndex={0} role="region" aria-label="Log entries">
        <div className="sizer" style={{ height: virtualizer.getTotalSize() }}>
          <div className="block" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map((item) => {
              const entry = entries[item.index]
              if (!entry) return null
              const isOpen = open.has(entry.id)
              return (
                <article
                  key={item.key}
                  ref={virtualizer.measureElement}
                  data-index={item.index}
                  className="entry"
                >
                  <button aria-expanded={isOpen} onClick={() => toggle(entry.id)}>
                    <b>{item.index + 1}</b> <span className={entry.level}>{entry.level}</span>
                  </button>
                  <p>{entry.text}</p>
                  {isOpen && (
                    <dl>
                      <dt>Key</dt>
                      <dd>{entry.id}</dd>
                      <dt>Starts at</dt>
                      <dd>{Math.round(item.start)} px</dd>
                      <dt>Height</dt>
                      <dd>{Math.round(item.size)} px</dd>
                    </dl>
                  )}
                </article>
              )
            })}
          </div>
        </div>
      </div>
    </main>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id "root"')

createRoot(root).render(
  <StrictMode>
    <Log />
  </StrictMode>,
)
