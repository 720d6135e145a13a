import type { CSSProperties } from 'react'
import { withBase } from '../../lib/paths'

interface MarkStyle extends CSSProperties {
  '--row': number
}

/** The style of an element whose descendants show marks of partners. */
export function partnerMarks(href: string): CSSProperties & { '--partner-marks': string } {
  return { '--partner-marks': `url(${withBase(href)})` }
}

/** The mark of a partner in the color of the text, which has to name the partner. `row` is that of the sprite. */
export function PartnerMark({ row }: { row: number }) {
  const style: MarkStyle = { '--row': row }
  return <span className="partner-mark" aria-hidden="true" style={style} />
}
