import type { ExampleFile } from '../../api/generated'
import { sizeInWords } from '../../lib/examples'
import { LINES_SCRIPT } from '../../lib/lines'
import { Settle } from '../ui/Settle'
import { Glyph } from './Glyph'
import { useLines } from './useLines'

/** One file: its code with numbered lines, its picture, or why there is neither. */
export function FileView({ file }: { file: ExampleFile }) {
  const { path, kind, size, lines, raw } = file
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (
    <div className="example-file">
      <p className="example-path" title={path}>
        <bdi>
          {path.slice(0, -name.length)}
          <b>{name}</b>
        </bdi>
      </p>
      <p className="example-size">
        {kind === 'code' ? `${lines} ${lines === 1 ? 'line' : 'lines'} · ` : ''}
        {sizeInWords(size)}
      </p>
      <a href={raw} className="example-tool" rel="nofollow">
        <Glyph name="raw" />
        Raw
      </a>
      {kind === 'code' ? (
        <button type="button" className="copy example-tool needs-script" suppressHydrationWarning>
          <Glyph name="copy" />
          <span data-label="" suppressHydrationWarning>
            Copy
          </span>
        </button>
      ) : null}
      <Content file={file} name={name} />
    </div>
  )
}

function Content({ file, name }: { file: ExampleFile; name: string }) {
  switch (file.kind) {
    case 'code':
      return <Code file={file} />
    case 'picture':
      return (
        <p className="example-picture">
          <img src={file.picture ?? ''} alt={name} />
        </p>
      )
    case 'empty':
      return <p className="example-note">This file is empty.</p>
    case 'large':
      return (
        <p className="example-note">
          This file has {sizeInWords(file.size)}, more than a page should show. <a href={file.raw}>See it as plain text</a>.
        </p>
      )
    case 'binary':
      return (
        <p className="example-note">
          This is a binary file of {sizeInWords(file.size)}. <a href={file.raw}>Download it</a>.
        </p>
      )
  }
}

function Code({ file: { path, html } }: { file: ExampleFile }) {
  const source = useLines(path)
  return (
    <>
      <pre
        key={path}
        ref={source}
        className="source"
        tabIndex={0}
        aria-label={`Code of ${path}`}
        data-markup=""
        data-html={html?.slot}
        dangerouslySetInnerHTML={{ __html: html?.text ?? '' }}
        suppressHydrationWarning
      />
      <Settle script={LINES_SCRIPT} />
    </>
  )
}
