import type { Course, Partner } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { paths } from '../../lib/paths'
import { ExternalLink, Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

/** Partner companies and their libraries. */
export function HomePartners({ partners }: { partners: Partner[]; }) {
  if (partners.length === 0) return null
  return (
    <section className="column section" aria-labelledby="partners">
      <h2 id="partners" className="title">
        Partners
      </h2>
      <ul className="home-partners">
        {partners.map((partner) => (
          <li key={partner.href} className="card">
            <h3>
              <ExternalLink href={partner.href} className="card-link" rel="noopener sponsored">
                {partner.name}
              </ExternalLink>
              {partner.note ? <span className="badge">{partner.note}</span> : null}
            </h3>
            <p>{partner.text}</p>
            <PartnerLibraries libraries={partner.libraries} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function PartnerLibraries({ libraries }: { libraries: string[]; }) {
  const shell = useShell()
  const concerned = shell.libraries.filter(({ id }) => libraries.includes(id))
  if (concerned.length === 0) return null
  return (
    <ul className="home-partner-libraries" aria-label="Partner for">
      {concerned.map((library) => (
        <li key={library.id} className="badge" data-tone={library.id} style={libraryColors(library)}>
          {library.shortName}
        </li>
      ))}
    </ul>
  )
}

export function Courses({ courses }: { courses: Course[]; }) {
  const shell = useShell()
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
      <p className="home-note">
        Rather begin with what is free? <Link to={paths.written('learn')} className="text-link">Learn from our docs and guides</Link>.
      </p>
    </section>
  )
}
