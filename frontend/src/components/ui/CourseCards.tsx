import type { Course } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { ExternalLink } from './Link'
import { useShell } from './useShell'

/** The courses about the libraries. */
export function CourseCards({ courses }: { courses: Course[] }) {
  const shell = useShell()
  return (
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
  )
}
