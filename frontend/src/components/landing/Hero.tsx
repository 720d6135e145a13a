import type { LibraryCard, LibraryPage } from '../../api/generated'
import { isExternal, paths } from '../../lib/paths'
import { Badge } from '../ui/Badge'
import { Icon } from '../ui/Icon'
import { LibraryMark } from '../ui/LibraryMark'
import { Markup } from '../ui/Markup'

interface Props {
  library: LibraryCard
  page: LibraryPage
  /** How addresses name it. */
  version: string
  /** What precedes the library's own name in its full name. */
  family: string
}

/** What it is, in one look: name, claim, how to get it, and a drawing of what it does. */
export function Hero({ library, page, version, family }: Props) {
  const [first] = library.name.startsWith(`${family} `) ? [family] : []
  return (
    <header className="landing-hero">
      <div className="column landing-hero-inner">
        <div className="landing-words">
          <p className="landing-kicker">
            <LibraryMark library={library} />
            <span>{library.latestVersion}</span>
            {library.badge ? <Badge tone={library.badge}>{library.badge}</Badge> : null}
          </p>
          <h1 className="display">
            {first ? <span className="landing-family">{first} </span> : null}
            <span className="hue-text">{first ? library.name.slice(first.length + 1) : library.name}</span>
          </h1>
          <p className="landing-claim">{library.tagline}</p>
          <p className="lede">{page.description}</p>
          <ul className="landing-ways">
            <li>
              <a href={paths.docs(library.id, version, library.defaultDocs)} className="button button-primary button-large">
                Get Started
              </a>
            </li>
            {library.menu
              .filter(({ icon }) => icon === 'code' || icon === 'github')
              .map(({ to, label }) => (
                <li key={to}>
                  <a href={to} rel={isExternal(to) ? 'noopener' : undefined} className="button button-large">
                    {label}
                    {isExternal(to) ? <Icon name="out" /> : null}
                  </a>
                </li>
              ))}
          </ul>
          {page.install ? (
            <section className="landing-install" aria-label="Installation">
              <Markup html={page.install} className="prose" />
            </section>
          ) : null}
        </div>
        {page.drawing ? <Drawing drawing={page.drawing} /> : null}
      </div>
    </header>
  )
}

/** It says nothing that the words do not say. */
function Drawing({ drawing }: { drawing: NonNullable<LibraryPage['drawing']> }) {
  return (
    <div className="landing-drawing" aria-hidden="true">
      <Markup html={drawing} />
    </div>
  )
}
