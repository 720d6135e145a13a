// A finding, and what decides it.

import type { Finding } from './messages.ts'
import type { OwnTypes } from './ownTypes.ts'

/** A finding at a position of the completed file. */
export interface Candidate extends Omit<Finding, 'line' | 'column'> {
  position: number
}

/** What a check of a file knows beside the file. */
export interface FileFacts {
  own: OwnTypes
  /** Members that the page adds to interfaces of packages. */
  augmented: ReadonlySet<string>
  isAbridged: boolean
  isWhole: boolean
  /** Names that the block itself imports. */
  imported: ReadonlySet<string>
}
