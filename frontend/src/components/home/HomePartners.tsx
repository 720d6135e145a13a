import type { CSSProperties } from 'react'
import type { Course, HomePartner } from '../../api/generated'
import { balanceRows } from '../../lib/home/cardRows'
import { anyUrl } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
import { CourseCards } from '../ui/CourseCards'
import { AnyLink, ExternalLink } from '../ui/Link'
import { PartnerMark, partnerMarks } from '../ui/PartnerMark'
import { useShell } from '../ui/useShell'

const MOST_IN_ROW = 5

interface PartnerStyle extends CSSProperties {
  '--in-row': number
  '--in-pair': number
}

/** Partner companies, all drawn alike. */
export function HomePartners({ partners, marks }: { partners: HomePartner[]; marks: string }) {
  if (partners.length === 0) return null
  const rows = balanceRows(partners.length, MOST_IN_ROW).flatMap((length) => Array.from({ length }, () => length))
  return (
    <section className="column section" aria-labelledby="partners">
      <AreaStyles name="sponsors" />
      <h2 id="partners" className="title">
        Partners
      </h2>
      <p className="lead">Our partners, in alphabetical order.</p>
      <ul className="home-partners" style={partnerMarks(marks)}>
        {partners.map(({ id, name, href, text, note, mark }, index) => {
          const style: PartnerStyle = { '--in-row': rows[index] ?? 1, '--in-pair': partners.length % 2 === 1 && index === 0 ? 1 : 2 }
          return (
            <li key={id} style={style}>
              <ExternalLink href={href} rel="noopener sponsored">
                <PartnerMark row={mark} />
                {name}
              </ExternalLink>
              <p>{text}</p>
              {note ? <p className="home-partner-note">{note}</p> : null}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

export function Courses({ courses }: { courses: Course[] }) {
  const shell = useShell()
  if (courses.length === 0) return null
  return (
    <section className="column section" aria-labelledby="courses">
      <h2 id="courses" className="title">
        Courses
      </h2>
      <CourseCards courses={courses} />
      {shell.links.learning ? (
        <p className="home-note">
          Prefer free?{' '}
          <AnyLink to={anyUrl(shell.links.learning)} className="text-link">
            Learn from our docs and guides
          </AnyLink>
          .
        </p>
      ) : null}
    </section>
  )
}
