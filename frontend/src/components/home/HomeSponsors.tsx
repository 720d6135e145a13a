import type { SponsorPack as Pack } from '../../api/generated'
import { paths } from '../../lib/paths'
import { formatDate } from '../../lib/format'
import { SponsorPack } from '../ui/SponsorPack'
import { ExternalLinkButton } from '../ui/Button'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

/** The sponsors, and a link to become one. */
export function HomeSponsors({ pack }: { pack: Pack; }) {
  const shell = useShell()
  return (
    <section className="column section home-sponsors" aria-labelledby="sponsors">
      <div>
        <h2 id="sponsors" className="title">
          Sponsors
        </h2>
        <p className="lead">
          Issues get answered, releases get tested and docs get written because sponsors pay for the time. Sponsorship
          buys exactly that, and no say in where the libraries go.
        </p>
        <p className="fine-print">{describeSponsors(pack)}</p>
        <ul className="home-actions">
          <li>
            <ExternalLinkButton href={pack.becomeUrl} variant="primary" size="large">
              Become a Sponsor
            </ExternalLinkButton>
          </li>
        </ul>
        <p className="home-note">
          How the family is paid for, and what money cannot buy here:{' '}
          <Link to={paths.written('ethos')} className="text-link">
            the ethos of {shell.family}
          </Link>
          .
        </p>
      </div>
      <div className="home-sponsors-pack">
        <SponsorPack pack={pack} />
      </div>
    </section>
  )
}

function describeSponsors({ asOf }: Pack): string {
  return asOf
    ? `Public sponsors on GitHub, as of ${formatDate(asOf)}: the larger the monthly amount, the larger the circle. The partners of the family are all drawn alike.`
    : 'These are the partners of the family, all drawn alike. All sponsors on GitHub are named there.'
}
