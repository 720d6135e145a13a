import type { CSSProperties } from 'react'
import type { LibraryCard } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { serverPath } from '../../lib/paths'
import { HEIGHT, ROOT_BOX, WIDTH, drawRoot, drawStrands, labelRoom } from '../../lib/home/strands'
import type { Strand } from '../../lib/home/strands'
import { LibraryLogo } from '../ui/LibraryLogo'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'
import type { PlacedLibrary } from './LibraryGrid'

/** Center and width of the drawing on a wide screen, as shares of the width of the cards below. FamilyDrawing.css has them too. */
const CENTER = 0.705
const SHARE = 0.675

interface LabelStyle extends CSSProperties {
  '--label': number
  '--label-lines': number
}

interface LeafStyle extends CSSProperties {
  '--turn': number
  '--x': number
  '--y': number
  '--taut': string
}

interface DrawnLibrary {
  library: LibraryCard
  strand: Strand
  /** The loose end of the strand. */
  root: string
}

/** The navigation of the family: one rope that splits into a strand for each library, with a link at its end. */
export function FamilyDrawing({ cards }: { cards: readonly PlacedLibrary[] }) {
  const shell = useShell()
  const libraries = shell.groups.flatMap((group) => group.libraries.flatMap((id) => cards.filter(({ library }) => library.id === id)))
  const strands = drawStrands(libraries.length)
  const drawn = libraries.flatMap(({ library, strandPlace }, index): DrawnLibrary[] => {
    const strand = strands[index]
    return strand ? [{ library, strand, root: drawRoot(CENTER + (strand.foot / WIDTH - 0.5) * SHARE, strandPlace) }] : []
  })
  const { share, lines } = labelRoom(libraries.length)
  const style: LabelStyle = { '--label': share, '--label-lines': lines }
  return (
    <nav className="home-family" aria-label="Libraries" style={style}>
      <RootDrawing paths={drawn.map(({ library, root }) => ({ library, path: root }))} />
      <StrandDrawing paths={drawn.map(({ library, strand }) => ({ library, path: strand.path }))} />
      <ul>
        {drawn.map((each, index) => (
          <FamilyLeaf key={each.library.id} drawn={each} turn={index} />
        ))}
      </ul>
    </nav>
  )
}

interface DrawingProps {
  paths: { library: LibraryCard; path: string }[]
}

function StrandDrawing({ paths }: DrawingProps) {
  return (
    <svg className="home-strands" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <StrandPaths paths={paths} />
    </svg>
  )
}

function RootDrawing({ paths }: DrawingProps) {
  return (
    <svg className="home-roots" viewBox={`0 0 ${ROOT_BOX.width} ${ROOT_BOX.height}`} preserveAspectRatio="none" aria-hidden="true">
      <StrandPaths paths={paths} />
    </svg>
  )
}

function StrandPaths({ paths }: DrawingProps) {
  return paths.map(({ library, path }) => (
    <g key={library.id} style={libraryColors(library)}>
      {/* A gap in the page's color where strands cross. */}
      <path className="home-strand-gap" d={path} pathLength={1} />
      <path className="home-strand-line" d={path} pathLength={1} />
    </g>
  ))
}

/** The link to a library, and what is shown while the reader points at it: its strand above the others, its tagline, its hue. */
function FamilyLeaf({ drawn, turn }: { drawn: DrawnLibrary; turn: number }) {
  const { family } = useShell()
  const { library, strand, root } = drawn
  const { end, taut, path } = strand
  const style: LeafStyle = { ...libraryColors(library), '--turn': turn, '--x': end.x / WIDTH, '--y': end.y / HEIGHT, '--taut': `path('${taut}')` }
  return (
    <li className="home-strand" style={style}>
      <i className="home-wash" aria-hidden="true" />
      <RootDrawing paths={[{ library, path: root }]} />
      <StrandDrawing paths={[{ library, path }]} />
      <span className="home-claim home-claim-library" aria-hidden="true">
        {library.tagline}
      </span>
      <Link to={serverPath(library.to)} className="home-leaf">
        <span className="home-leaf-tile">
          <LibraryLogo library={library} />
        </span>
        <span className="home-leaf-name">
          {/* "Start" alone says too little as the text of a link. */}
          <span className="sr-only">{family} </span>
          {library.shortName}
        </span>
      </Link>
    </li>
  )
}
