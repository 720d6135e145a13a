import type { HomePage } from '../../api/generated'
import { chooseGradient } from '../../lib/gradient'
import { paths } from '../../lib/paths'
import { FamilyDrawing } from './FamilyDrawing'
import type { PlacedLibrary } from './LibraryGrid'
import { LIBRARIES_ID } from './LibraryGrid'
import { LinkButton } from '../ui/Button'
import { useShell } from '../ui/useShell'

interface Props {
  page: HomePage
  /** The cards below, to which the strands run. */
  cards: readonly PlacedLibrary[]
  /** From 0 up to 1; chooses the gradient. */
  random: number
}

/** Name and claim of the family, and the drawing that leads to its libraries. */
export function HomeHero({ page, cards, random }: Props) {
  const shell = useShell()
  const [before = '', after = ''] = page.claim.split(page.emphasis)
  return (
    <div className="home-hero" style={chooseGradient(random)}>
      <h1 className="display home-name">{shell.family}</h1>
      <p className="home-claim">
        {before}
        <em>{page.emphasis}</em>
        {after}
      </p>
      <div className="home-introduction">
        <p className="lead">{page.lede}</p>
        <ul className="home-actions">
          <li>
            <LinkButton to={paths.hash(LIBRARIES_ID)} variant="primary" size="large">
              See the libraries
            </LinkButton>
          </li>
          <li>
            <LinkButton to={paths.written('ethos')} size="large">
              Why we do this
            </LinkButton>
          </li>
        </ul>
      </div>
      <FamilyDrawing cards={cards} />
    </div>
  )
}
