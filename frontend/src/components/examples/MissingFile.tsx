import { messageOf } from '../../lib/request'

/** In place of a file that the example does not have; the tree beside it says what there is. */
export function MissingFile({ data }: { data?: unknown }) {
  return (
    <div className="example-file">
      <p className="example-path">
        <bdi>404 Not Found</bdi>
      </p>
      <p className="example-note">{messageOf(data) || 'There is no such file'}. The list of files has those that are there.</p>
    </div>
  )
}
