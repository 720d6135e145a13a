import type { CSSProperties } from 'react'
import type { LibraryCard } from '../../api/generated'
import { hue } from '../../lib/hue'

interface Marked extends CSSProperties {
  '--row': number
}

/** A library's logo in its own colours, as tall as the text beside it, which has to name it. */
export function LibraryMark({ library }: { library: LibraryCard }) {
  const style: Marked = { ...hue(library), '--row': library.logo }
  return <span className="library-mark" aria-hidden="true" style={style} />
}
