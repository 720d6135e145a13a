// Bundle `demos`: runs the demo of a library in place of its drawing, in a React root of its own. The boot script loads it, with
// the files of the demo, when the reader touches the drawing.
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { Root } from 'react-dom/client'
import { demos } from 'virtual:demos'
import { DEMO_WANTED, VISITED } from './lib/events'
import styles from './styles/demo.css?inline'

const CONTROL = 'input, button, [tabindex="0"]'

const roots = new Map<HTMLElement, Root>()

async function start(frame: HTMLElement): Promise<void> {
  const { demo = '' } = frame.dataset
  const module = await demos[demo]?.().catch(() => undefined)
  const stage = frame.querySelector<HTMLElement>('[data-unmanaged]')
  // A visit may have replaced the page meanwhile.
  if (frame.dataset.demo !== demo || frame.dataset.demoState !== 'loading') return
  if (!module || !stage) return fail(frame)
  roots.get(frame)?.unmount()
  const root = createRoot(stage, { onUncaughtError: () => fail(frame) })
  roots.set(frame, root)
  // The button disappears. After a click or tap, focusing an input would open the keyboard of a phone.
  const wasPressedByKey = frame.querySelector(':focus-visible') !== null
  frame.dataset.demoState = 'running'
  flushSync(() => root.render(<module.Demo />))
  if (wasPressedByKey) stage.querySelector<HTMLElement>(CONTROL)?.focus({ preventScroll: true })
}

function fail(frame: HTMLElement): void {
  frame.dataset.demoState = 'failed'
}

/** The next page begins with drawings. */
function stopAll(): void {
  for (const [frame, root] of roots) {
    root.unmount()
    delete frame.dataset.demoState
  }
  roots.clear()
}

const sheet = new CSSStyleSheet()
sheet.replaceSync(styles)
document.adoptedStyleSheets.push(sheet)
document.addEventListener(VISITED, stopAll)
document.addEventListener(DEMO_WANTED, ({ target }) => {
  if (target instanceof HTMLElement) void start(target)
})
