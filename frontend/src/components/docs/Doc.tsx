import type { DocPage } from '../../api/generated'
import type { Crumb, Neighbours } from '../../lib/menu'
import { isOutlined } from '../../lib/outline'
import { dateInWords, listInWords } from '../../lib/words'
import { Icon } from '../ui/Icon'
import { Main } from '../ui/Main'
import { Markup } from '../ui/Markup'
import { Around } from './Around'
import { Crumbs } from '../ui/Crumbs'
import { Outline } from './Outline'
import { PageActions } from './PageActions'

interface Props {
  page: DocPage
  way: Crumb[]
  around: Neighbours
  framework: string | undefined
  /** The page's Markdown: a path. */
  markdown: string
  origin: string
}

export function Doc({ page, way, around, framework, markdown, origin }: Props) {
  return (
    <>
      <Main className="docs-page">
        <div className="page-head">
          <Crumbs way={way} />
          <h1>{page.title}</h1>
          <PageActions markdown={markdown} origin={origin} />
        </div>
        <Markup html={page.html} className="prose" />
        <PageFoot page={page} />
        <Around {...around} />
      </Main>
      {isOutlined(page) ? <Outline headings={page.headings} framework={framework} /> : null}
    </>
  )
}

// More names than this are counted, not read.
const NAMED = 5

function PageFoot({ page: { editUrl, updated, contributors } }: { page: DocPage }) {
  const more = contributors.length - NAMED
  const names = more > 1 ? [...contributors.slice(0, NAMED), `${more} others`] : contributors
  return (
    <div className="page-foot">
      <a href={editUrl} rel="noopener">
        <Icon name="pencil" />
        Edit on GitHub
      </a>
      {updated ? (
        <p>
          Last updated on <time dateTime={updated}>{dateInWords(updated)}</time>
          {names.length > 0 ? ` by ${listInWords(names)}` : ''}
        </p>
      ) : null}
    </div>
  )
}
