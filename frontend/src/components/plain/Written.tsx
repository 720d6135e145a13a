import type { ReactNode } from 'react'
import type { SitePage } from '../../api/generated'
import { dateInWords } from '../../lib/words'
import { Contents } from '../ui/Contents'
import { Markup } from '../ui/Markup'
import { Styles } from '../ui/Styles'

interface Props {
  page: SitePage
  /** What stands between the head and the text. */
  children?: ReactNode
  /** What stands after the text. */
  after?: ReactNode
}

/** A page that was written for this site: a head, a text, beside a long one its outline. */
export function Written({ page, children, after }: Props) {
  return (
    <>
      <Styles name="plain" />
      <div className="plain" data-outlined={page.outline ? '' : undefined}>
        <header className="plain-head">
          <h1>{page.title}</h1>
          <p className="plain-lead">{page.description}</p>
          {page.updated ? (
            <p className="plain-date">
              In force since <time dateTime={page.updated}>{dateInWords(page.updated)}</time>
            </p>
          ) : null}
        </header>
        {children}
        {page.outline ? <Contents headings={page.headings.filter(({ level }) => level === 2)} /> : null}
        <Markup html={page.html} className="prose plain-text" />
        {after}
      </div>
    </>
  )
}
