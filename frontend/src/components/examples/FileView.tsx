import type { ExampleFile } from '../../api/generated'
import { formatSize } from '../../lib/examples/examples'
import { LINES_SCRIPT } from '../../lib/examples/lineRange'
import { InlineScript } from '../ui/InlineScript'
import { ExampleIcon } from './ExampleIcon'
import { useLineSelection } from './useLineSelection'
import { Link } from '../ui/Link'
import { serverPath, withBase } from '../../lib/paths'

/** A file: code with line numbers, a picture, or the reason why it is not shown. */
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
        {formatSize(size)}
      </p>
      <Link to={serverPath(raw)} className="example-action" rel="nofollow">
        <ExampleIcon name="raw" />
        Raw
      </Link>
      {kind === 'code' ? (
        <button type="button" className="copy example-action needs-script" suppressHydrationWarning>
          <ExampleIcon name="copy" />
          <span data-label="" suppressHydrationWarning>
            Copy
          </span>
        </button>
      ) : null}
      <FileContent file={file} name={name} />
    </div>
  )
}

function FileContent({ file, name }: { file: ExampleFile; name: string }) {
  switch (file.kind) {
    case 'code':
      return <FileCode file={file} />
    case 'picture':
      return (
        <p className="example-picture">
          <img src={withBase(file.picture ?? '')} alt={name} />
        </p>
      )
    case 'empty':
      return <p className="example-note">This file is empty.</p>
    case 'large':
      return (
        <p className="example-note">
          This file is too large to show here ({formatSize(file.size)}). <Link to={serverPath(file.raw)}>Open it as plain text</Link>.
        </p>
      )
    case 'binary':
      return (
        <p className="example-note">
          This is a binary file ({formatSize(file.size)}). <Link to={serverPath(file.raw)}>Download it</Link>.
        </p>
      )
  }
}

const EMPTY_HTML = { __html: '' }

function FileCode({ file: { path, html } }: { file: ExampleFile }) {
  const source = useLineSelection(path)
  return (
    <>
      <pre
        key={path}
        ref={source}
        className="example-code"
        tabIndex={0}
        aria-label={`Code of ${path}`}
        data-markup=""
        data-html={html?.slot}
        dangerouslySetInnerHTML={html?.inner ?? EMPTY_HTML}
        suppressHydrationWarning
      />
      <InlineScript script={LINES_SCRIPT} />
    </>
  )
}
