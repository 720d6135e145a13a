import type { CSSProperties } from 'react'
import type { Course, HomePartner } from '../../api/generated'
import { balanceRows } from '../../lib/cardRows'
import { libraryColors } from '../../lib/colors'
import { anyUrl } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
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
  const note = shell.texts.coursesLink
  if (courses.length === 0) return null
  return (
    <section className="column section" aria-labelledby="courses">
      <h2 id="courses" className="title">
        Courses
      </h2>
      <ul className="home-courses">
        {courses.map((course) => {
          const library = shell.libraries.find(({ id }) => id === course.library)
          return (
            <li key={course.href} className="card home-course" style={library ? libraryColors(library) : undefined}>
              <div>
                <h3>
                  <ExternalLink href={course.href} className="card-link">
                    {course.title}
                  </ExternalLink>
                </h3>
                <p>{course.text}</p>
                <p className="fine-print">By {course.by}</p>
              </div>
            </li>
          )
        })}
      </ul>
      {note ? (
        <p className="home-note">
          Prefer free?{' '}
          <AnyLink to={anyUrl(note.to)} className="text-link">
            {note.label}
          </AnyLink>
          .
        </p>
      ) : null}
    </section>
  )
}
