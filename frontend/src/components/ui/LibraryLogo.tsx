import type { CSSProperties } from 'react'
import type { LibraryCard } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { withBase } from '../../lib/paths'

interface LogoStyle extends CSSProperties {
  '--row': number
  '--logos'?: string
}

interface Props {
  library: LibraryCard
  /**
   * Where the logo stands for the whole page. It moves to where it is on the next page, and the page contains it: docs show
   * no other logo, for which the sprite would be a request.
   */
  mark?: 'docs' | 'landing'
}

/** A library's logo in its own colors, as tall as the adjacent text, which has to name the library. */
export function LibraryLogo({ library, mark }: Props) {
  const picture = mark ? { '--row': 0, '--logos': `url(${withBase(library.mark)})` } : { '--row': library.logo }
  const style: LogoStyle = { ...libraryColors(library), ...picture }
  return <span className="library-logo" aria-hidden="true" data-mark={mark} style={style} />
}
