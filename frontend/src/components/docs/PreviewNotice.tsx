import type { LibraryCard, PreviewFacts } from '../../api/generated'
import { formatNumber } from '../../lib/format'
import { paths } from '../../lib/paths'
import { previewSummary } from '../../lib/docs/preview'
import { LinkButton } from '../ui/Button'
import { ExternalLink } from '../ui/Link'

interface Props {
  library: LibraryCard
  preview: PreviewFacts
}

// A title may be one long word. Rules in a stylesheet would be on all pages.
const WRAPPED = { minWidth: 0, overflowWrap: 'anywhere' } as const
const LINKS = { display: 'flex', flex: 'none', flexWrap: 'wrap', gap: '.25rem 1rem', alignItems: 'center', maxWidth: '40%' } as const

/** Says above each page of a preview which pull request it shows, and that it is not reviewed. */
export function PreviewNotice({ library, preview }: Props) {
  const { number, url, changed } = preview
  return (
    <aside aria-label="Preview of a pull request" className="notice-bar">
      <p style={WRAPPED}>{`${previewSummary(preview, preview.title)}; ${formatNumber(changed)} ${changed === 1 ? 'page' : 'pages'} changed.`}</p>
      <p style={LINKS}>
        {url ? <ExternalLink href={url}>{`Pull request #${number}`}</ExternalLink> : null}
        <LinkButton to={paths.preview(library.id, number)}>Changed pages</LinkButton>
      </p>
    </aside>
  )
}
