import type { SponsorPack as Pack, Shell } from '../../api/generated'
import { paths } from '../../lib/paths'
import { dateInWords } from '../../lib/words'
import { SponsorPack } from '../ui/SponsorPack'

/** Who funds the family, and how to become one of them. */
export function Sponsors({ pack, shell }: { pack: Pack; shell: Shell }) {
  return (
    <section className="column section home-sponsors" aria-labelledby="sponsors">
      <div>
        <h2 id="sponsors" className="title">
          Sponsors
        </h2>
        <p className="lede">
          Issues get answered, releases get tested and docs get written because somebody pays for the time. Sponsorship
          buys exactly that, and no say in where the libraries go.
        </p>
        <p className="fine">{whoIsShown(pack)}</p>
        <ul className="home-ways">
          <li>
            <a href={pack.becomeUrl} className="button button-primary button-large" rel="noopener">
              Become a Sponsor
            </a>
          </li>
        </ul>
        <p className="home-aside">
          How the family is paid for, and what money cannot buy here:{' '}
          <a href={paths.written('ethos')} className="text-link">
            the ethos of {shell.family}
          </a>
          .
        </p>
      </div>
      <div className="home-pack">
        <SponsorPack pack={pack} />
      </div>
    </section>
  )
}

function whoIsShown({ asked }: Pack): string {
  return asked
    ? `Public sponsors on GitHub, as of ${dateInWords(asked)}: the larger the monthly amount, the larger the circle. The partners of the family are all drawn alike.`
    : 'These are the partners of the family, all drawn alike. All sponsors on GitHub are named there.'
}
