import type { LibraryCard } from '../../api/generated'
import { libraryFace, patternStyle } from '../../lib/colors'
import { useShell } from '../ui/useShell'

/** The picture of a post: the patterns of its libraries side by side, or that of the family. Decorative. */
export function PostCover({ libraries }: { libraries: LibraryCard[] }) {
  const { pattern } = useShell()
  return (
    <div className="post-cover" aria-hidden="true">
      {libraries.length > 0 ? (
        libraries.map((library) => <span key={library.id} className="patterned" style={libraryFace(library)} />)
      ) : (
        <span className="patterned" style={patternStyle(pattern)} />
      )}
    </div>
  )
}
