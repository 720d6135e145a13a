import type { CourseCard, PartnerCard, Shell } from '../../api/generated'
import { hue } from '../../lib/hue'
import { paths } from '../../lib/paths'

/** Companies that work with the family, and for which of the libraries. */
export function Partners({ partners, shell }: { partners: PartnerCard[]; shell: Shell }) {
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
              <a href={partner.href} className="card-link" rel="noopener sponsored">
                {partner.name}
              </a>
              {partner.note ? <span className="badge">{partner.note}</span> : null}
            </h3>
            <p>{partner.text}</p>
            <Concerned libraries={partner.libraries} shell={shell} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Concerned({ libraries, shell }: { libraries: string[]; shell: Shell }) {
  const concerned = shell.libraries.filter(({ id }) => libraries.includes(id))
  if (concerned.length === 0) return null
  return (
    <ul className="home-concerned" aria-label="Partner for">
      {concerned.map((library) => (
        <li key={library.id} className="badge" data-tone={library.id} style={hue(library)}>
          {library.shortName}
        </li>
      ))}
    </ul>
  )
}

export function Courses({ courses, shell }: { courses: CourseCard[]; shell: Shell }) {
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
            <li key={course.href} className="card home-course" style={library ? hue(library) : undefined}>
              <div>
                <h3>
                  <a href={course.href} className="card-link" rel="noopener">
                    {course.title}
                  </a>
                </h3>
                <p>{course.text}</p>
                <p className="fine">By {course.by}</p>
              </div>
            </li>
          )
        })}
      </ul>
      <p className="home-aside">
        Rather begin with what is free? <a href={paths.written('learn')} className="text-link">Learn from our docs and guides</a>.
      </p>
    </section>
  )
}
