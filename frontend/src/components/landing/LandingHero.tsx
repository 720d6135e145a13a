import type { LibraryCard, LibraryPage } from '../../api/generated'
import { isExternal } from '../../lib/paths'
import { isCodeHost } from '../../lib/social'
import { versionTitle } from '../../lib/docs/version'
import { Badge } from '../ui/Badge'
import { Icon } from '../ui/Icon'
import { LibraryLogo } from '../ui/LibraryLogo'
import { HtmlContent } from '../ui/HtmlContent'
import { DemoFrame } from '../ui/DemoFrame'
import { AnyLinkButton } from '../ui/Button'
import { FrameworkTargets } from '../ui/FrameworkTargets'
import { MissingFramework } from './MissingFramework'
import { useShell } from '../ui/useShell'

interface Props {
  library: LibraryCard
  page: LibraryPage
  /** The version as URLs name it. */
  version: string
}

/** Name, tagline, installation and drawing of a library. */
export function LandingHero({ library, page, version }: Props) {
  const { family } = useShell()
  const [first] = library.name.startsWith(`${family} `) ? [family] : []
  return (
    <header className="landing-hero">
      <div className="column landing-hero-inner">
        <div className="landing-intro">
          <p className="landing-kicker">
            <LibraryLogo library={library} mark="landing" />
            <span>{versionTitle(library, version)}</span>
            {library.badge ? <Badge tone={library.badge}>{library.badge}</Badge> : null}
          </p>
          <h1 className="display">
            {first ? <span className="landing-family">{first} </span> : null}
            <span className="hue-text">{first ? library.name.slice(first.length + 1) : library.name}</span>
          </h1>
          <p className="landing-claim">{library.tagline}</p>
          {page.description === library.tagline ? null : <p className="lead">{page.description}</p>}
          <ul className="landing-actions">
            {page.start.length > 0 ? (
              <li>
                <FrameworkTargets targets={page.start}>
                  {(to) => (
                    <AnyLinkButton to={to} variant="primary" size="large">
                      Get started
                    </AnyLinkButton>
                  )}
                </FrameworkTargets>
              </li>
            ) : null}
            {page.menu
              .filter(({ icon }) => icon === 'code' || isCodeHost(icon))
              .map(({ label, targets }) => (
                <li key={label}>
                  <FrameworkTargets targets={targets}>
                    {(to) => (
                      <AnyLinkButton to={to} size="large">
                        {label}
                        {isExternal(to) ? <Icon name="out" /> : null}
                      </AnyLinkButton>
                    )}
                  </FrameworkTargets>
                </li>
              ))}
          </ul>
          <MissingFramework library={library} page={page} version={version} />
          {page.install ? (
            <section className="landing-install" aria-label="Installation">
              <HtmlContent html={page.install} className="prose" hasTabs />
            </section>
          ) : null}
        </div>
        {page.drawing ? (
          <div className="landing-demo">
            <DemoFrame library={library} drawing={page.drawing} demo={page.demo} />
            {page.demo ? (
              <details className="landing-demo-code">
                <summary>The code of this demo</summary>
                <HtmlContent html={page.demo} className="prose" />
              </details>
            ) : null}
          </div>
        ) : null}
      </div>
    </header>
  )
}
