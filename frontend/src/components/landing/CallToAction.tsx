import type { LibraryCard, LibraryPage } from '../../api/generated'
import { isLatest, versionTitle } from '../../lib/docs/version'
import { AnyLinkButton } from '../ui/Button'
import { FrameworkTargets } from '../ui/FrameworkTargets'

interface Props {
  library: LibraryCard
  page: LibraryPage
  version: string
}

/** Where the data writes the name of the reader's framework. */
const FRAMEWORK = '{framework}'

/** The call to action at the end of a landing page. */
export function CallToAction({ library, page: { callToAction, start }, version }: Props) {
  const versioned = isLatest(library, version) ? '' : ` ${versionTitle(library, version)}`
  const { title, text, label, targets } = callToAction ?? {
    title: `Try ${library.shortName}${versioned}`,
    text: library.tagline,
    label: `Read the${versioned} docs`,
    targets: start,
  }
  if (targets.length === 0) return null
  return (
    <section className="column section" aria-labelledby="closing">
      <div className="landing-call-to-action">
        <h2 id="closing" className="title">
          {title}
        </h2>
        <p className="lead">{text}</p>
        <p>
          <FrameworkTargets targets={targets}>
            {(to, framework) => (
              <AnyLinkButton to={to} variant="primary" size="large">
                {label.replace(FRAMEWORK, () => framework || library.shortName)}
              </AnyLinkButton>
            )}
          </FrameworkTargets>
        </p>
      </div>
    </section>
  )
}
