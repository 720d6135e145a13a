import type { HomePage, Shell } from '../../api/generated'
import { gradient } from '../../lib/gradient'
import { paths } from '../../lib/paths'
import { Family } from './Family'
import { LIBRARIES_ID } from './Libraries'

interface Props {
  shell: Shell
  page: HomePage
  /** From 0 up to 1: it draws the colours. */
  random: number
}

/** Who the family is, in a word, a sentence and a drawing. */
export function Hero({ shell, page, random }: Props) {
  const [before = '', after = ''] = page.claim.split(page.emphasis)
  return (
    <div className="home-hero column" style={gradient(random)}>
      <div>
        <h1 className="display home-name">{shell.family}</h1>
        <p className="home-claim">
          {before}
          <em>{page.emphasis}</em>
          {after}
        </p>
        <p className="lede">{page.lede}</p>
        <ul className="home-ways">
          <li>
            <a href={`#${LIBRARIES_ID}`} className="button button-primary button-large">
              See the libraries
            </a>
          </li>
          <li>
            <a href={paths.written('ethos')} className="button button-large">
              Why we do this
            </a>
          </li>
        </ul>
      </div>
      <Family libraries={shell.groups.flatMap(({ libraries }) => shell.libraries.filter(({ id }) => libraries.includes(id)))} />
    </div>
  )
}
