import type { ReactNode } from 'react'
import { useMemo, useRef } from 'react'
import type { ExampleTree } from '../../api/generated'
import type { ExamplePanel } from '../../lib/examples/examples'
import { buildTree } from '../../lib/examples/examples'
import { TREE_SCRIPT } from '../../lib/examples/treeWidth'
import { InlineScript } from '../ui/InlineScript'
import { FileTree } from './FileTree'
import { ExampleIcon } from './ExampleIcon'
import { ExampleTabs, panelId, tabId } from './ExampleTabs'
import { SandboxPanel } from './SandboxPanel'
import { useShell } from '../ui/useShell'
import { Splitter } from './Splitter'
import { useFullScreen } from './useFullScreen'
import { Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'
import { serverPath } from '../../lib/paths'

interface Props {
  title: string
  example: ExampleTree
  /** The open file, relative to the example. */
  file: string
  panel: ExamplePanel
  href: (place: { file?: string; panel?: ExamplePanel }) => SitePath
  choose: (panel: ExamplePanel) => void
  open: (file: string) => void
  /** The content of the open file. */
  children: ReactNode
}

const TREE_ID = 'example-tree'

/** An example: file tree and open file, or sandbox. */
export function ExampleViewer({ title, example, file, panel: chosen, href, choose, open, children }: Props) {
  const { sandbox } = example
  const panel = sandbox ? chosen : 'code'
  const { isStatic } = useShell()
  const frame = useRef<HTMLElement>(null)
  const [full, setFull] = useFullScreen(frame)
  const entries = useMemo(() => buildTree(example.files), [example])
  return (
    <section ref={frame} aria-label={title} className="example-viewer code" data-full={full ? '' : undefined} data-needs-app="" data-loads-app={isStatic ? '' : undefined}>
      <InlineScript script={TREE_SCRIPT} />
      <div className="example-bar">
        {sandbox ? <ExampleTabs panel={panel} href={(name) => href({ file, panel: name })} choose={choose} /> : null}
        <Link to={serverPath(example.zip)} download="" rel="nofollow" className="example-action">
          <ExampleIcon name="download" />
          <span>
            Download<span className="sr-only"> as a zip</span>
          </span>
        </Link>
        <button
          type="button"
          className="example-action needs-script"
          aria-pressed={full}
          onClick={() => setFull(!full)}
        >
          <ExampleIcon name={full ? 'less' : 'full'} />
          <span>Full screen</span>
        </button>
      </div>
      <div
        role={sandbox ? 'tabpanel' : undefined}
        id={panelId('code')}
        aria-labelledby={sandbox ? tabId('code') : undefined}
        hidden={panel !== 'code'}
        className="example-panes"
      >
        <div id={TREE_ID} className="example-sidebar">
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
      {sandbox ? (
        <div
          role="tabpanel"
          id={panelId('sandbox')}
          aria-labelledby={tabId('sandbox')}
          hidden={panel !== 'sandbox'}
          className="example-sandbox-panel"
        >
          <SandboxPanel title={title} sandbox={sandbox} file={file} />
        </div>
      ) : null}
    </section>
  )
}
