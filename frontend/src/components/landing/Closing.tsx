import type { LibraryCard, LibraryPage } from '../../api/generated'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/version'

interface Props {
  library: LibraryCard
  page: LibraryPage
  version: string
}

/** For those who have read this far: one thing to do next. */
export function Closing({ library, page: { callToAction }, version }: Props) {
  const { title, text, label, to } = callToAction ?? {
    title: `Try ${library.shortName}`,
    text: library.tagline,
    label: 'Read the docs',
    to: library.defaultDocs,
  }
  return (
    <section className="column section" aria-labelledby="closing">
      <div className="landing-closing">
        <h2 id="closing" className="title">
          {title}
        </h2>
        <p className="lede">{text}</p>
        <p>
          {/* The words are about the latest version, and so is the page. */}
          <a href={paths.docs(library.id, callToAction ? LATEST : version, to)} className="button button-primary button-large">
            {label}
          </a>
        </p>
      </div>
    </section>
  )
}
