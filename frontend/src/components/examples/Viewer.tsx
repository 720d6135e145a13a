import type { ReactNode } from 'react'
import { useMemo, useRef } from 'react'
import type { ExampleTree } from '../../api/generated'
import type { Panel } from '../../lib/examples'
import { treeOf } from '../../lib/examples'
import { TREE_SCRIPT } from '../../lib/tree'
import { Settle } from '../ui/Settle'
import { FileTree } from './FileTree'
import { Glyph } from './Glyph'
import { PanelTabs, panelId, tabId } from './PanelTabs'
import { SandboxPanel } from './SandboxPanel'
import { Splitter } from './Splitter'
import { useFullScreen } from './useFullScreen'

interface Props {
  title: string
  example: ExampleTree
  /** The open file, relative to the example. */
  file: string
  panel: Panel
  href: (place: { file?: string; panel?: Panel }) => string
  choose: (panel: Panel) => void
  open: (file: string) => void
  /** The open file itself. */
  children: ReactNode
}

const TREE_ID = 'example-tree'

/** An example: the tree of its files with one of them beside it, or all of it in a sandbox. */
export function Viewer({ title, example, file, panel, href, choose, open, children }: Props) {
  const frame = useRef<HTMLElement>(null)
  const [full, setFull] = useFullScreen(frame)
  const entries = useMemo(() => treeOf(example.files), [example])
  return (
    <section ref={frame} aria-label={title} className="example-frame code" data-full={full ? '' : undefined}>
      <Settle script={TREE_SCRIPT} />
      <div className="example-bar">
        <PanelTabs panel={panel} href={(name) => href({ file, panel: name })} choose={choose} />
        <a href={example.zip} download="" rel="nofollow" className="example-tool">
          <Glyph name="download" />
          <span>
            Download<span className="sr-only"> as a zip</span>
          </span>
        </a>
        <button
          type="button"
          className="example-tool needs-script"
          aria-pressed={full}
          onClick={() => setFull(!full)}
        >
          <Glyph name={full ? 'less' : 'full'} />
          <span>Full screen</span>
        </button>
      </div>
      <div
        role="tabpanel"
        id={panelId('code')}
        aria-labelledby={tabId('code')}
        hidden={panel !== 'code'}
        className="example-panes"
      >
        <div id={TREE_ID} className="example-side">
          <FileTree
            label={`Files of ${example.title}`}
            entries={entries}
            file={file}
            href={(path) => href({ file: path })}
            onOpen={open}
          />
        </div>
        <Splitter controls={TREE_ID} />
        {children}
      </div>
      <div
        role="tabpanel"
        id={panelId('sandbox')}
        aria-labelledby={tabId('sandbox')}
        hidden={panel !== 'sandbox'}
        className="example-run"
      >
        <SandboxPanel title={title} sandbox={example.sandbox} file={file} />
      </div>
    </section>
  )
}
