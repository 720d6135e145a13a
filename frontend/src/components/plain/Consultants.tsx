import type { Consultant } from '../../api/generated'
import { initialsOf } from '../../lib/words'

const PHOTO_PX = 160

/** Those who can be hired. Their initials are drawn; a photo, where it can be had, lies over them. */
export function Consultants({ consultants }: { consultants: Consultant[] }) {
  return (
    <ul className="consultants">
      {consultants.map((consultant) => (
        <Person key={consultant.twitter} {...consultant} />
      ))}
    </ul>
  )
}

function Person({ name, twitter, website, specialties, img }: Consultant) {
  return (
    <li className="card consultant">
      <div className="consultant-face" aria-hidden="true">
        <svg viewBox="0 0 80 80">
          <path d="M0 58C22 44 34 70 80 40v40H0ZM0 22C26 8 48 30 80 8V0H0Z" />
          <text x="40" y="41" textAnchor="middle" dominantBaseline="central">
            {initialsOf(name)}
          </text>
        </svg>
        {/* A background that does not come leaves no mark; an `img` would show that something is broken. */}
        <span style={{ backgroundImage: `url("${img}?size=${PHOTO_PX}")` }} />
      </div>
      <div>
        <h2>{name}</h2>
        <ul className="consultant-fields" aria-label={`Fields of ${name}`}>
          {specialties.map((specialty) => (
            <li key={specialty}>{specialty}</li>
          ))}
        </ul>
        <ul className="consultant-places">
          <li>
            <a href={website} rel="noopener">
              {website.replace('https://', '')}
            </a>
          </li>
          <li>
            <a href={`https://x.com/${twitter}`} rel="noopener">
              @{twitter}
              <span className="sr-only"> on X</span>
            </a>
          </li>
        </ul>
      </div>
    </li>
  )
}
