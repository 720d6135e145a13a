import type { DocHeading } from '../../api/generated'
import { TableOfContents } from '../ui/TableOfContents'
import { TABLE_OF_CONTENTS_ID } from './DocsTopBar'

/** The table of contents of a docs page: a column, or a drawer that the top bar opens. */
export function Outline({ headings, framework }: { headings: DocHeading[]; framework: string | undefined }) {
  return <TableOfContents headings={headings} framework={framework} drawer={TABLE_OF_CONTENTS_ID} />
}
