import type { CSSProperties } from 'react'
import type { LibraryCard } from '../../api/generated'
import { libraryColors } from '../../lib/colors'

interface LogoStyle extends CSSProperties {
  '--row': number
}

/** A library's logo in its own colors, as tall as the adjacent text, which has to name the library. */
export function LibraryLogo({ library }: { library: LibraryCard }) {
  const style: LogoStyle = { ...libraryColors(library), '--row': library.logo }
  return <span className="library-logo" aria-hidden="true" style={style} />
}
