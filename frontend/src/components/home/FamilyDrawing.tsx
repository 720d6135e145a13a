import type { CSSProperties } from 'react'
import type { LibraryCard } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { HEIGHT, drawStrands, WIDTH } from '../../lib/strands'
import { LibraryLogo } from '../ui/LibraryLogo'

interface LeafStyle extends CSSProperties {
  '--turn': number
}

/** A decorative drawing: one rope that splits into a strand for each library. */
export function FamilyDrawing({ libraries }: { libraries: LibraryCard[] }) {
  const drawn = drawStrands(libraries.length)
  return (
    <div className="home-family" aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        {libraries.map((library, index) => (
          <g key={library.id} style={libraryColors(library)}>
            {/* A gap in the page's color where strands cross. */}
            <path className="home-strand-gap" d={drawn[index]?.path} />
            <path className="home-strand" d={drawn[index]?.path} />
          </g>
        ))}
      </svg>
      {libraries.map((library, index) => {
        const { x, y } = drawn[index]?.end ?? { x: 0, y: 0 }
        const leaf: LeafStyle = { left: `${(x / WIDTH) * 100}%`, top: `${(y / HEIGHT) * 100}%`, '--turn': index }
        return (
          <span key={library.id} className="home-family-logo" style={{ ...libraryColors(library), ...leaf }}>
            <LibraryLogo library={library} />
          </span>
        )
      })}
    </div>
  )
}
