import type { ProseLink, SitePage } from '../../api/generated'
import { formatDate } from '../../lib/format'
import { anyUrl } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
import { HtmlContent } from '../ui/HtmlContent'
import { AnyLink } from '../ui/Link'
import { TableOfContents } from '../ui/TableOfContents'
import { ThirdPartySetting } from '../ui/ThirdPartyScript'
import { Consultants } from './Consultants'
import { CourseCards } from '../ui/CourseCards'
import { LibraryLinks } from './LibraryLinks'
import { SupportOptions } from './SupportOptions'

/** A page of the site itself: header with a picture, then its sections. */
export function ProsePage({ page }: { page: SitePage }) {
  return (
    <>
      <AreaStyles name="prose-page" />
      {page.extraStyles ? <AreaStyles name="extensions" /> : null}
      <div className="prose-page">
        <ProsePageHead page={page} />
        {page.sections.map((section) => (
          <Section key={section} section={section} page={page} />
        ))}
      </div>
    </>
  )
}

function Section({ section, page }: { section: SitePage['sections'][number]; page: SitePage }) {
  switch (section) {
    case 'text':
      return <ProseText page={page} />
    case 'support-options':
      return <SupportOptions />
    case 'consultants':
      return page.consultants.length > 0 ? <Consultants consultants={page.consultants} /> : null
    case 'courses':
      return page.courses.length > 0 ? <CourseCards courses={page.courses} /> : null
    case 'library-links':
      return <LibraryLinks />
    case 'third-party-scripts':
      return <ThirdPartySetting />
  }
}

/** The text, and beside it what the page asks for: headings and links. */
function ProseText({ page }: { page: SitePage }) {
  const headings = page.outline ? page.headings.filter(({ level }) => level === 2) : []
  return (
    <div className="prose-page-body">
      <div className="prose-page-side" data-dated={page.updated ? '' : undefined}>
        {headings.length > 0 ? (
          <div className="prose-page-outline">
            <TableOfContents headings={headings} />
          </div>
        ) : null}
        {page.links.length > 0 ? <ProseLinks links={page.links} /> : null}
      </div>
      <HtmlContent html={page.html} className="prose prose-page-text" hasTabs />
    </div>
  )
}

function ProsePageHead({ page: { title, description, updated, picture } }: { page: SitePage }) {
  return (
    <header className="prose-page-head">
      <div>
        <h1>{title}</h1>
        <p className="prose-page-lead">{description}</p>
        {updated ? (
          <p className="prose-page-date">
            In effect since <time dateTime={updated}>{formatDate(updated)}</time>
          </p>
        ) : null}
      </div>
      {picture ? (
        <div className="prose-page-picture" aria-hidden="true">
          <HtmlContent html={picture} />
        </div>
      ) : null}
    </header>
  )
}

function ProseLinks({ links }: { links: ProseLink[] }) {
  return (
    <nav aria-labelledby="Site-related" className="prose-page-links">
      <h2 id="Site-related">Go straight to</h2>
      <ul>
        {links.map(({ label, to, text }) => (
          <li key={to}>
            <AnyLink to={anyUrl(to)}>
              {label}
              <small>{text}</small>
            </AnyLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
