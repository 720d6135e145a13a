import type { CSSProperties } from 'react'
import type { HomePage } from '../../api/generated'
import { textWidth } from '../../lib/statistics/chart/textWidth'
import { chooseGradient } from '../../lib/gradient'
import { anyUrl } from '../../lib/paths'
import { drawStrands, freeShare } from '../../lib/home/strands'
import { FamilyDrawing } from './FamilyDrawing'
import type { PlacedLibrary } from './LibraryGrid'
import { AnyLinkButton } from '../ui/Button'
import { NamedIcon } from '../ui/NamedIcon'
import { useShell } from '../ui/useShell'

/** The class `display`: widest words relative to estimates, which are for Inter Medium; spacing; padding of the name. */
const DISPLAY_WIDTH = 1.04
const LETTER_SPACING = -0.04
const PADDING = 0.05

interface Props {
  page: HomePage
  /** The cards below, to which the strands run. */
  cards: readonly PlacedLibrary[]
  /** From 0 up to 1; chooses the gradient. */
  random: number
}

interface NameStyle extends CSSProperties {
  '--longest-word': number
  '--free': number
}

/** Name and claim of the family, and the drawing that leads to its libraries. */
export function HomeHero({ page, cards, random }: Props) {
  const shell = useShell()
  const { before, emphasis, after } = splitClaim(page)
  return (
    <div className="home-hero" style={chooseGradient(random, shell.look.gradient)}>
      <h1 className="display home-name" style={nameStyle(shell.family, cards.length)}>
        {shell.family}
      </h1>
      <p className="home-claim">
        {before}
        {emphasis ? <em>{emphasis}</em> : null}
        {after}
      </p>
      <div className="home-introduction">
        <p className="lead">{page.lede}</p>
        <ul className="home-actions">
          {page.buttons.map(({ label, to, kind, icon }) => {
            const shape = shell.icons[icon ?? '']
            return (
              <li key={to}>
                <AnyLinkButton to={anyUrl(to)} variant={kind === 'primary' ? kind : undefined} size="large">
                  {shape ? <NamedIcon shape={shape} /> : null}
                  {label}
                </AnyLinkButton>
              </li>
            )
          })}
        </ul>
      </div>
      <FamilyDrawing cards={cards} />
    </div>
  )
}

/** The width of the longest word, as a multiple of the font size: the name is as large as its column allows. */
function nameStyle(name: string, libraries: number): NameStyle {
  const widths = name.split(/[\s-]+/).map((word) => textWidth(word, 1) * DISPLAY_WIDTH + word.length * LETTER_SPACING + PADDING)
  return { '--longest-word': Math.ceil(Math.max(1, ...widths) * 10) / 10, '--free': freeShare(drawStrands(libraries)) }
}

/** The claim around its underlined part. */
function splitClaim({ claim, emphasis }: Pick<HomePage, 'claim' | 'emphasis'>) {
  const at = emphasis ? claim.indexOf(emphasis) : -1
  if (at < 0) return { before: claim, emphasis: '', after: '' }
  return { before: claim.slice(0, at), emphasis, after: claim.slice(at + emphasis.length) }
}
