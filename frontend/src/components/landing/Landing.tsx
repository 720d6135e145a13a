import type { ReactNode } from 'react'
import type { LibraryCard, LibraryPage, OpenSourceFigures, SponsorPack as Pack } from '../../api/generated'
import { libraryFace } from '../../lib/colors'
import { paths } from '../../lib/paths'
import { LATEST, versionTitle } from '../../lib/docs/version'
import { SponsorPack } from '../ui/SponsorPack'
import { AreaStyles } from '../ui/AreaStyles'
import { CallToAction } from './CallToAction'
import { LandingStats } from './LandingStats'
import { NamedIcon } from '../ui/NamedIcon'
import { LandingHero } from './LandingHero'
import { CodeSamples } from './CodeSamples'
import { ExternalLinkButton } from '../ui/Button'
import { AnyLink, ExternalLink, Link } from '../ui/Link'
import { FrameworkTargets } from '../ui/FrameworkTargets'
import { useShell } from '../ui/useShell'
import { VersionFrameworks } from './VersionFrameworks'

interface Props {
  library: LibraryCard
  page: LibraryPage
  figures: OpenSourceFigures
  pack: Pack
  /** The version as URLs name it. */
  version: string
  isLatest: boolean
  /** Content before the call to action. */
  children?: ReactNode
}

/** Where a text of the data has the name of the library. */
const LIBRARY = '{library}'

/** The landing page of a library: features, code samples, users, partners, figures, sponsors. */
export function Landing({ library, page, figures, pack, version: requestedVersion, isLatest, children }: Props) {
  // Without figures this site has no docs of this version, and the page is about the latest one.
  const version = page.figures ? requestedVersion : LATEST
  return (
    <div className="landing patterned" style={libraryFace(library)}>
      <AreaStyles name="landing" />
      {isLatest ? null : <LandingVersionNotice library={library} version={requestedVersion} page={page} />}
      <LandingHero library={library} page={page} version={version} />
      {page.featureHighlights.length > 0 ? (
        <section className="column section" aria-label={`Why ${library.shortName}`}>
          <ul className="landing-highlights">
            {page.featureHighlights.map(({ title, icon, description }) => (
              <li key={title}>
                <NamedIcon shape={icon} />
                <h2>{title}</h2>
                <p>{description}</p>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {isLatest || !page.figures ? null : <VersionFrameworks library={library} page={page} version={version} />}
      {page.featureList.length > 0 ? (
        <section className="column section" aria-labelledby="features">
          <h2 id="features" className="title">
            What you get
          </h2>
          <ul className="landing-features">
            {page.featureList.map((feature) => (
              <li key={feature}>{feature}</li>
            ))}
          </ul>
        </section>
      ) : null}
      {page.samples.length > 0 ? (
        <section className="column section" aria-labelledby="code">
          <h2 id="code" className="title">
            {page.samplesTitle ?? 'Code example'}
          </h2>
          <CodeSamples page={page} />
        </section>
      ) : null}
      {page.trustedBy.length > 0 ? (
        <section className="column section" aria-labelledby="trusted">
          <h2 id="trusted" className="landing-label">
            Trusted in production by
          </h2>
          <ul className="landing-customers">
            {page.trustedBy.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </section>
      ) : null}
      <LandingPartners library={library} page={page} />
      <LandingStats library={library} page={page} figures={figures} version={version} />
      <LandingSponsors library={library} pack={pack} />
      {children}
      <CallToAction library={library} page={page} version={version} />
    </div>
  )
}

function LandingSponsors({ library, pack }: Pick<Props, 'library' | 'pack'>) {
  const { texts } = useShell()
  if (pack.circles.length === 0 && pack.others.length === 0 && pack.becomeUrl === null) return null
  return (
    <section className="column section" aria-labelledby="sponsors">
      <div className="landing-columns">
        <div>
          <h2 id="sponsors" className="title">
            {texts.landingSponsorsTitle}
          </h2>
          <p className="lead">{texts.landingSponsors.replace(LIBRARY, () => library.name)}</p>
          {pack.becomeUrl === null ? null : (
            <p>
              <ExternalLinkButton href={pack.becomeUrl}>Become a sponsor</ExternalLinkButton>
            </p>
          )}
        </div>
        <SponsorPack pack={pack} />
      </div>
    </section>
  )
}

function LandingVersionNotice({ library, page, version }: Pick<Props, 'library' | 'page' | 'version'>) {
  const latest = versionTitle(library, LATEST)
  const title = versionTitle(library, version)
  if (!page.figures) {
    return (
      <p className="landing-version-notice">
        {`This page describes ${latest}, the latest version. There is no copy of the docs of ${title} here.`}
      </p>
    )
  }
  return (
    <p className="landing-version-notice">
      <span>{`This page is about ${title}. The current version is ${latest}.`}</span>{' '}
      <Link to={paths.version(library.id, LATEST)} className="text-link">
        Go to {latest}
      </Link>
      {page.migration ? (
        <FrameworkTargets targets={page.migration.targets}>
          {(to) => (
            <AnyLink to={to} className="text-link">
              Migrate to {versionTitle(library, page.migration?.version ?? LATEST)}
            </AnyLink>
          )}
        </FrameworkTargets>
      ) : null}
    </p>
  )
}

function LandingPartners({ library, page: { partners } }: { library: LibraryCard; page: LibraryPage }) {
  if (partners.length === 0) return null
  return (
    <section className="column section" aria-labelledby="partners">
      <h2 id="partners" className="title">
        Partners
      </h2>
      <p className="lead">Companies that fund work on {library.shortName}.</p>
      <ul className="landing-partners">
        {partners.map(({ name, href, text, note }) => (
          <li key={name} className="card">
            <h3>
              <ExternalLink href={href} rel="noopener sponsored" className="card-link">
                {name}
              </ExternalLink>
            </h3>
            {note ? <p className="eyebrow">{note}</p> : null}
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
