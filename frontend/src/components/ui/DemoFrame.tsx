import { createContext, useContext } from 'react'
import type { LibraryCard } from '../../api/generated'
import type { Html } from '../../api/html'
import { libraryColors } from '../../lib/colors'
import { HtmlContent } from './HtmlContent'
import { UnmanagedDiv } from './UnmanagedSpan'

/** Files of the bundle `demos` with one demo, separated by spaces, by the library's id. */
export type DemoFiles = Readonly<Record<string, string>>

/** Only on the server: the boot script reads them from the document. */
export const DemoFilesContext = createContext<DemoFiles>({})

interface Props {
  library: LibraryCard
  /** SVG, decorative: the text beside it says the same. */
  drawing: Html
  /** The code of the demo, which the caller shows; null without a demo. */
  demo: Html | null
  /** Only for samples: the boot script sets it. */
  state?: 'loading' | 'failed'
}

/** The drawing of a library. With a demo, the bundle `demos` replaces it at the first touch; the attribute `data-demo-state` says how far it is. */
export function DemoFrame({ library, drawing, demo, state }: Props) {
  const files = useContext(DemoFilesContext)[library.id]
  return (
    <div
      className="demo-frame"
      style={libraryColors(library)}
      data-demo={library.id}
      data-files={demo ? files : undefined}
      data-demo-state={state}
      suppressHydrationWarning
    >
      <div className="demo-box">
        <div className="demo-drawing" aria-hidden="true">
          <HtmlContent html={drawing} />
        </div>
        <UnmanagedDiv className="demo" />
      </div>
      {demo ? <DemoBar name={library.shortName} /> : null}
    </div>
  )
}

/** The button and what happens. CSS shows the words of the current state. */
function DemoBar({ name }: { name: string }) {
  return (
    <div className="demo-bar needs-script">
      <output>
        <span data-shown="idle">The real {name}, in your browser.</span>
        <span data-shown="failed">The demo didn't load.</span>
        <span data-shown="running">{name} is live. What you enter stays here.</span>
      </output>
      <button type="button" className="button button-small demo-start">
        <span data-shown="idle">Try it</span>
        <span data-shown="loading">Loading…</span>
        <span data-shown="failed">Try again</span>
        <span className="sr-only"> ({name} demo)</span>
      </button>
    </div>
  )
}
