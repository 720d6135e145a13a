import { readNotFoundMessage } from '../../lib/loadPage'

/** Shown in place of a file that does not exist. The file tree lists those that do. */
export function MissingFile({ data }: { data?: unknown }) {
  return (
    <div className="example-file">
      <p className="example-path">
        <bdi>404 Not Found</bdi>
      </p>
      <p className="example-note">{readNotFoundMessage(data) || 'This file doesn\'t exist'}. Choose another one in the list of files.</p>
    </div>
  )
}
