import type { Consultant } from '../../api/generated'
import { initials } from '../../lib/format'
import { ExternalLink } from '../ui/Link'

const PHOTO_PX = 160

/** The consultants. A photo covers the drawn initials if it loads. */
export function Consultants({ consultants }: { consultants: Consultant[] }) {
  return (
    <ul className="consultants">
      {consultants.map((consultant) => (
        <ConsultantCard key={consultant.twitter} {...consultant} />
      ))}
    </ul>
  )
}

function ConsultantCard({ name, twitter, website, specialties, img }: Consultant) {
  return (
    <li className="card consultant">
      <div className="consultant-photo" aria-hidden="true">
        <svg viewBox="0 0 80 80">
          <path d="M0 58C22 44 34 70 80 40v40H0ZM0 22C26 8 48 30 80 8V0H0Z" />
          <text x="40" y="41" textAnchor="middle" dominantBaseline="central">
            {initials(name)}
          </text>
        </svg>
        {/* A background: an `img` that fails to load would show a broken image. */}
        <span style={{ backgroundImage: `url("${img}?size=${PHOTO_PX}")` }} />
      </div>
      <div>
        <h2>{name}</h2>
        <ul className="consultant-fields" aria-label={`Fields of ${name}`}>
          {specialties.map((specialty) => (
            <li key={specialty}>{specialty}</li>
          ))}
        </ul>
        <ul className="consultant-links">
          <li>
            <ExternalLink href={website}>
              {website.replace('https://', '')}
            </ExternalLink>
          </li>
          <li>
            <ExternalLink href={`https://x.com/${twitter}`}>
              @{twitter}
              <span className="sr-only"> on X</span>
            </ExternalLink>
          </li>
        </ul>
      </div>
    </li>
  )
}
