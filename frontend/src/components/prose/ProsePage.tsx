import type { ReactNode } from 'react'
import type { ProseLink, SitePage } from '../../api/generated'
import { formatDate } from '../../lib/format'
import { anyUrl } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
import { HtmlContent } from '../ui/HtmlContent'
import { AnyLink } from '../ui/Link'
import { TableOfContents } from '../ui/TableOfContents'

interface Props {
  page: SitePage
  /** Content between the header and the text. */
  children?: ReactNode
  /** Content after the text. */
  after?: ReactNode
}

/** A page from content/pages: header with a picture, text, and beside it what the page asks for: headings and links. */
export function ProsePage({ page, children, after }: Props) {
  const headings = page.outline ? page.headings.filter(({ level }) => level === 2) : []
  return (
    <>
      <AreaStyles name="prose-page" />
      <div className="prose-page">
        <ProsePageHead page={page} />
        {children}
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
        {after}
      </div>
    </>
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
    <nav aria-labelledby="related" className="prose-page-links">
      <h2 id="related">Go straight to</h2>
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
