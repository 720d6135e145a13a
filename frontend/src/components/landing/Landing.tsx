import type { ReactNode } from 'react'
import type { FrameworkOption, LibraryCard, LibraryPage, SponsorPack as Pack } from '../../api/generated'
import { hue } from '../../lib/hue'
import { paths } from '../../lib/paths'
import { LATEST } from '../../lib/version'
import { SponsorPack } from '../ui/SponsorPack'
import { Styles } from '../ui/Styles'
import { Closing } from './Closing'
import { Figures } from './Figures'
import { Glyph } from './glyphs'
import { Hero } from './Hero'
import { Samples } from './Samples'

interface Props {
  library: LibraryCard
  page: LibraryPage
  pack: Pack
  /** How addresses name it. */
  version: string
  isLatest: boolean
  family: string
  frameworks: FrameworkOption[]
  /** What stands before the last word. */
  children?: ReactNode
}

/** A library's own page: what it is, what it is good at, how it looks in code, who stands behind it, and the ways in. */
export function Landing({ library, page, pack, version: asked, isLatest, family, frameworks, children }: Props) {
  // Figures are counted in the docs: where there are none, there is no copy of this version here.
  const version = page.figures ? asked : LATEST
  return (
    <div className="landing" style={hue(library)}>
      <Styles name="landing" />
      {isLatest ? null : <OldVersion library={library} version={asked} isHere={page.figures !== null} />}
      <Hero library={library} page={page} version={version} family={family} />
      <section className="column section" aria-label={`Why ${library.shortName}`}>
        <ul className="landing-highlights">
          {page.featureHighlights.map(({ title, icon, description }) => (
            <li key={title}>
              <Glyph name={icon} />
              <h2>{title}</h2>
              <p>{description}</p>
            </li>
          ))}
        </ul>
      </section>
      {page.featureList.length > 0 ? (
        <section className="column section" aria-labelledby="features">
          <div className="landing-split">
            <h2 id="features" className="title">
              What is in {library.shortName}
            </h2>
            <ul className="landing-features">
              {page.featureList.map((feature) => (
                <li key={feature}>{feature}</li>
              ))}
            </ul>
          </div>
        </section>
      ) : null}
      {page.samples.length > 0 ? (
        <section className="column section" aria-labelledby="code">
          <h2 id="code" className="title">
            {page.samplesTitle ?? 'In code'}
          </h2>
          <Samples page={page} frameworks={frameworks} />
        </section>
      ) : null}
      {page.trustedBy.length > 0 ? (
        <section className="column section" aria-labelledby="trusted">
          <h2 id="trusted" className="landing-quiet">
            Trusted in production by
          </h2>
          <ul className="landing-names">
            {page.trustedBy.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </section>
      ) : null}
      <Partners library={library} page={page} />
      <Figures library={library} page={page} version={version} />
      <section className="column section" aria-labelledby="sponsors">
        <div className="landing-split">
          <div>
            <h2 id="sponsors" className="title">
              Free, and paid for
            </h2>
            <p className="lede">
              {library.name} is open source and costs nothing. Companies and people fund the work on it, and on the rest of
              the family.
            </p>
            <p>
              <a href={pack.becomeUrl} rel="noopener" className="button">
                Become a Sponsor
              </a>
            </p>
          </div>
          <SponsorPack pack={pack} />
        </div>
      </section>
      {children}
      <Closing library={library} page={page} version={version} />
    </div>
  )
}

function OldVersion({ library, version, isHere }: { library: LibraryCard; version: string; isHere: boolean }) {
  const about = `This page describes ${library.latestVersion}, the latest version.`
  if (!isHere) return <p className="landing-old">{`${about} There is no copy of the docs of ${version} here.`}</p>
  return (
    <p className="landing-old">
      <span>{`${about} The docs of ${version} are still here.`}</span>{' '}
      <a href={paths.docs(library.id, version, library.defaultDocs)} className="text-link">
        Read the {version} docs
      </a>
    </p>
  )
}

function Partners({ library, page: { partners } }: { library: LibraryCard; page: LibraryPage }) {
  if (partners.length === 0) return null
  return (
    <section className="column section" aria-labelledby="partners">
      <h2 id="partners" className="title">
        Partners
      </h2>
      <p className="lede">Companies that fund the work on {library.shortName}.</p>
      <ul className="landing-partners">
        {partners.map(({ name, href, text, note }) => (
          <li key={name} className="card">
            <h3>
              <a href={href} rel="noopener sponsored" className="card-link">
                {name}
              </a>
            </h3>
            {note ? <p className="eyebrow">{note}</p> : null}
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
