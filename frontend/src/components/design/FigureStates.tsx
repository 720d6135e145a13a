import type { Figure } from '../../api/generated'
import { OpenSourceFigures } from '../ui/OpenSourceFigures'
import { SponsorPack } from '../ui/SponsorPack'
import { StatePreview } from '../ui/StatePreview'

const FRESH: Figure = { value: 12_345, asOf: '2026-11-21', isOld: false }
const OLD: Figure = { ...FRESH, asOf: '2026-10-01', isOld: true }
const SPONSORS_URL = 'https://github.com/sponsors'

/** The states of live figures and of the sponsors, with sample numbers. */
export function FigureStates() {
  return (
    <>
      <StatePreview name="A figure of today, and one that could not be updated (sample numbers)">
        <OpenSourceFigures
          figures={[
            { name: 'fresh', label: 'stars on GitHub', figure: FRESH },
            { name: 'old', label: 'contributors', figure: OLD },
          ]}
        />
      </StatePreview>
      <StatePreview name="No sponsors yet">
        <SponsorPack pack={{ circles: [], others: [], asOf: null, becomeUrl: SPONSORS_URL, marks: '' }} />
      </StatePreview>
    </>
  )
}
