import type { CSSProperties } from 'react'
import type { LibraryCard } from '../../api/generated'
import { libraryColors } from '../../lib/colors'

interface LogoStyle extends CSSProperties {
  '--row': number
}

interface Props {
  library: LibraryCard
  /** Where the logo stands for the whole page: it then moves to where it is on the next page. */
  mark?: 'docs' | 'landing'
}

/** A library's logo in its own colors, as tall as the adjacent text, which has to name the library. */
export function LibraryLogo({ library, mark }: Props) {
  const style: LogoStyle = { ...libraryColors(library), '--row': library.logo }
  return <span className="library-logo" aria-hidden="true" data-mark={mark} style={style} />
}
