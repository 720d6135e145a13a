import type { SponsorPack as Pack } from '../../api/generated'
import { formatDate } from '../../lib/format'
import { SponsorPack } from '../ui/SponsorPack'
import { ExternalLinkButton } from '../ui/Button'
import { useShell } from '../ui/useShell'
import { NoteLink } from './NoteLink'

/** The sponsors besides the partners, and a link to become one. */
export function HomeSponsors({ pack }: { pack: Pack }) {
  const { texts } = useShell()
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
        <NoteLink link={texts.sponsorsLink} />
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
