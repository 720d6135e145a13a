import type { ExampleFile, ExampleList } from '../../api/generated'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/docs/version'
import { StatePreview } from '../ui/StatePreview'
import { useShell } from '../ui/useShell'
import { ExampleCards } from './ExampleCards'
import { FileView } from './FileView'
import { MissingFile } from './MissingFile'
import { SandboxPanel } from './SandboxPanel'

const FILE: ExampleFile = { path: 'src/sample.bin', kind: 'empty', language: '', size: 0, lines: 0, html: null, raw: '/sample', picture: null }

/** The states of the list of examples and of the example viewer, for `/design`. */
export function ExampleStates() {
  const [library] = useShell().libraries
  if (!library) return null
  const list: ExampleList = { counts: [], total: 0, cards: [], source: library.repoLinks?.home ?? null, versions: [], isPage: false }
  return (
    <>
      <StatePreview name="No examples">
        <ExampleCards
          list={list}
          framework={null}
          listHref={() => paths.examples(library.id, LATEST)}
          href={(framework, name) => paths.example(library.id, LATEST, framework, name)}
        />
      </StatePreview>
      <StatePreview name="An empty file" className="code">
        <FileView file={FILE} />
      </StatePreview>
      <StatePreview name="A file that is too large" className="code">
        <FileView file={{ ...FILE, kind: 'large', size: 660_000 }} />
      </StatePreview>
      <StatePreview name="A binary file" className="code">
        <FileView file={{ ...FILE, kind: 'binary', size: 5000 }} />
      </StatePreview>
      <StatePreview name="A missing file" className="code">
        <MissingFile />
      </StatePreview>
      <StatePreview name="The sandbox, before it starts" isStill>
        <SandboxPanel title="Sample" sandbox={{ editor: 'stackblitz', label: 'StackBlitz', embed: 'https://stackblitz.com/github/sample' }} file="src/main.ts" />
      </StatePreview>
    </>
  )
}
