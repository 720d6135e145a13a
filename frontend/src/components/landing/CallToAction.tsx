import type { LibraryCard, LibraryPage } from '../../api/generated'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/version'
import { LinkButton } from '../ui/Button'

interface Props {
  library: LibraryCard
  page: LibraryPage
  version: string
}

/** The call to action at the end of a landing page. */
export function CallToAction({ library, page: { callToAction }, version }: Props) {
  const { title, text, label, to } = callToAction ?? {
    title: `Try ${library.shortName}`,
    text: library.tagline,
    label: 'Read the docs',
    to: library.defaultDocs,
  }
  return (
    <section className="column section" aria-labelledby="closing">
      <div className="landing-call-to-action">
        <h2 id="closing" className="title">
          {title}
        </h2>
        <p className="lead">{text}</p>
        <p>
          {/* A call to action in the data is written for the latest version. */}
          <LinkButton to={paths.docs(library.id, callToAction ? LATEST : version, to)} variant="primary" size="large">
            {label}
          </LinkButton>
        </p>
      </div>
    </section>
  )
}
