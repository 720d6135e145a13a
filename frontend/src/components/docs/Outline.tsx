import type { DocHeading } from '../../api/generated'
import { Contents } from '../ui/Contents'
import { OUTLINE_ID } from './TopBar'

/** The page's contents: beside the text, or in a drawer that the bar opens. */
export function Outline({ headings, framework }: { headings: DocHeading[]; framework: string | undefined }) {
  return <Contents headings={headings} framework={framework} drawer={OUTLINE_ID} />
}
