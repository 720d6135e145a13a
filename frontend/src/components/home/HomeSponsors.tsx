import type { SponsorPack as Pack } from '../../api/generated'
import { anyUrl } from '../../lib/paths'
import { formatDate } from '../../lib/format'
import { SponsorPack } from '../ui/SponsorPack'
import { ExternalLinkButton } from '../ui/Button'
import { AnyLink } from '../ui/Link'
import { useShell } from '../ui/useShell'

/** All sponsors, and a link to become one. */
export function HomeSponsors({ pack }: { pack: Pack }) {
  const { links, texts } = useShell()
  const { funding } = links
  const hasSponsors = pack.circles.length > 0 || pack.others.length > 0
  if (!hasSponsors && pack.becomeUrl === null) return null
  return (
    <section className={`column section home-sponsors${hasSponsors ? ' home-sponsors-with-pack' : ''}`} aria-labelledby="sponsors">
      <div>
        <h2 id="sponsors" className="title">
          Sponsors
        </h2>
        <p className="lead">
          {texts.sponsors}
        </p>
        {hasSponsors ? <p className="fine-print">{describeSponsors(pack)}</p> : null}
        {pack.becomeUrl === null ? null : (
          <ul className="home-actions">
            <li>
              <ExternalLinkButton href={pack.becomeUrl} variant="primary" size="large">
                Become a Sponsor
              </ExternalLinkButton>
            </li>
          </ul>
        )}
        {funding ? (
          <p className="home-note">
            <AnyLink to={anyUrl(funding)} className="text-link">
              How we're funded, and what money can't buy
            </AnyLink>
          </p>
        ) : null}
      </div>
      {hasSponsors ? (
        <div className="home-sponsors-pack">
          <SponsorPack pack={pack} />
        </div>
      ) : null}
    </section>
  )
}

function describeSponsors({ asOf }: Pack): string {
  const sizes = 'The larger the monthly amount, the larger the circle.'
  return asOf ? `Public sponsors on GitHub, as of ${formatDate(asOf)}. ${sizes}` : sizes
}
