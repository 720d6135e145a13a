import type { CSSProperties } from 'react'
import type { LibraryCard } from '../../api/generated'
import { hue } from '../../lib/hue'
import { HEIGHT, strands, WIDTH } from '../../lib/strands'
import { LibraryMark } from '../ui/LibraryMark'

interface Leaf extends CSSProperties {
  '--turn': number
}

/** The family as a drawing: one rope, and from it a strand for each library. The grid below says the same in words. */
export function Family({ libraries }: { libraries: LibraryCard[] }) {
  const drawn = strands(libraries.length)
  return (
    <div className="home-family" aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        {libraries.map((library, index) => (
          <g key={library.id} style={hue(library)}>
            {/* What runs beneath this strand is parted by a little of the page. */}
            <path className="home-gap" d={drawn[index]?.path} />
            <path className="home-strand" d={drawn[index]?.path} />
          </g>
        ))}
      </svg>
      {libraries.map((library, index) => {
        const { x, y } = drawn[index]?.end ?? { x: 0, y: 0 }
        const leaf: Leaf = { left: `${(x / WIDTH) * 100}%`, top: `${(y / HEIGHT) * 100}%`, '--turn': index }
        return (
          <span key={library.id} className="home-leaf" style={{ ...hue(library), ...leaf }}>
            <LibraryMark library={library} />
          </span>
        )
      })}
    </div>
  )
}
