import type { DocPage } from '../../api/generated'
import type { Breadcrumb, AdjacentPages } from '../../lib/docs/docsMenu'
import { hasTableOfContents } from '../../lib/docs/tableOfContents'
import { formatDate, formatList } from '../../lib/format'
import { Icon } from '../ui/Icon'
import { Main } from '../ui/Main'
import { HtmlContent } from '../ui/HtmlContent'
import { PrevNext } from './PrevNext'
import { AreaStyles } from '../ui/AreaStyles'
import { Breadcrumbs } from '../ui/Breadcrumbs'
import { FeedbackForm } from './FeedbackForm'
import { Outline } from './Outline'
import { PageActions } from './PageActions'
import { ExternalLink, Link } from '../ui/Link'
import { Name } from '../ui/Name'
import { useShell } from '../ui/useShell'
import type { SitePath } from '../../lib/paths'
import { isPreviewName, paths } from '../../lib/paths'
import { textDirection } from '../../lib/textDirection'

interface Props {
  page: DocPage
  crumbs: Breadcrumb[]
  adjacent: AdjacentPages
  framework: string | undefined
  /** The page's Markdown: a path. */
  markdown: SitePath
  /** The page's own path. */
  address: SitePath
  /** What live events follow. */
  topic: { library: string; version: string; path: string }
}

export function DocsArticle({ page, crumbs, adjacent, framework, markdown, address, topic }: Props) {
  const { isStatic } = useShell()
  return (
    <>
      {page.apiReference ? <AreaStyles name="reference" /> : null}
      {page.extraStyles ? <AreaStyles name="extensions" /> : null}
      {page.marks || page.sectionMarks ? <AreaStyles name="page-marks" /> : null}
      <Main className="docs-page" data-digest={page.digest} data-live={isStatic ? undefined : JSON.stringify({ name: 'docs.page', args: topic })}>
        <div className="page-head">
          <Breadcrumbs crumbs={crumbs} />
          <h1 dir={textDirection(page.title)}>
            <Name text={page.title} />
          </h1>
          {isPreviewName(topic.version) ? null : <PageActions markdown={markdown} />}
          {page.marks?.map(({ label, older, newer }) => (
            <p key={label} className="page-mark">
              <Link to={paths.difference(topic.library, older, newer, topic.path)} rel="nofollow">
                {label}
              </Link>
            </p>
          ))}
        </div>
        <HtmlContent html={page.html} className="prose" hasTabs />
        {page.feedback && !isStatic ? <FeedbackForm page={page} address={address} /> : null}
        <PageFoot page={page} library={topic.library} />
        <PrevNext {...adjacent} />
      </Main>
      {hasTableOfContents(page) ? <Outline headings={page.headings} framework={framework} /> : null}
    </>
  )
}

// More contributors than this are summed up.
const MAX_CONTRIBUTORS = 5

function PageFoot({ page: { editUrl, updated, contributors, checkedBlocks }, library: id }: { page: DocPage; library: string }) {
  const host = useShell().libraries.find((one) => one.id === id)?.repoLinks?.host
  if (!editUrl && !updated && !checkedBlocks) return null
  const more = contributors.length - MAX_CONTRIBUTORS
  const names = more > 1 ? [...contributors.slice(0, MAX_CONTRIBUTORS), `${more} others`] : contributors
  return (
    <div className="page-foot">
      {editUrl ? (
        <ExternalLink href={editUrl}>
          <Icon name="pencil" />
          {`Edit on ${host}`}
        </ExternalLink>
      ) : null}
      {updated ? (
        <p>
          Last updated on <time dateTime={updated}>{formatDate(updated)}</time>
          {names.length > 0 ? ` by ${formatList(names)}` : ''}
        </p>
      ) : null}
      {checkedBlocks?.map(({ checked, blocks, package: name, release, day }) => (
        <p key={name}>
          {`${checked} of ${blocks} code ${blocks === 1 ? 'block' : 'blocks'} checked against ${name} ${release} on `}
          <time dateTime={day}>{formatDate(day)}</time>
        </p>
      ))}
    </div>
  )
}
