import type { ReactNode } from 'react'
import type { SitePage } from '../../api/generated'
import { formatDate } from '../../lib/format'
import { TableOfContents } from '../ui/TableOfContents'
import { HtmlContent } from '../ui/HtmlContent'
import { AreaStyles } from '../ui/AreaStyles'

interface Props {
  page: SitePage
  /** Content between the header and the text. */
  children?: ReactNode
  /** Content after the text. */
  after?: ReactNode
}

/** A page from content/pages: header, text, and a table of contents if the page asks for one. */
export function ProsePage({ page, children, after }: Props) {
  return (
    <>
      <AreaStyles name="prose-page" />
      <div className="prose-page" data-outlined={page.outline ? '' : undefined}>
        <header className="prose-page-head">
          <h1>{page.title}</h1>
          <p className="prose-page-lead">{page.description}</p>
          {page.updated ? (
            <p className="prose-page-date">
              In force since <time dateTime={page.updated}>{formatDate(page.updated)}</time>
            </p>
          ) : null}
        </header>
        {children}
        {page.outline ? <TableOfContents headings={page.headings.filter(({ level }) => level === 2)} /> : null}
        <HtmlContent html={page.html} className="prose prose-page-text" />
        {after}
      </div>
    </>
  )
}
