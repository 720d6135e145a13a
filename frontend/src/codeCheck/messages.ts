// What the checker reads and writes: JSON, with the names of `content/code_checks/check_results.py`.

/** A code block of a page. `removed` are 0-based lines that a difference removes; `heading` and `before` are the text of its
 * section's heading and the text between it and the block before. */
export interface Block {
  language: string
  code: string
  removed: number[]
  heading: string
  before: string
}

/** `path` is the page below the docs, `text` its Markdown. Blocks that are not to be checked are null. */
export interface Page {
  path: string
  title: string
  text: string
  blocks: (Block | null)[]
}

export type Verdict = 'right' | 'wrong' | 'ignored' | 'not_checkable'

export type FaultKind =
  | 'syntax'
  | 'wrong_import'
  | 'missing_export'
  | 'unknown_property'
  | 'wrong_argument'
  | 'missing_property'
  | 'deprecated'

export interface Finding {
  line: number
  column: number
  length: number
  kind: FaultKind
  name: string
  package: string
  message: string
  suggestion: string
}

export interface NameUse {
  start: number
  length: number
  symbol: number
}

export interface OptionEntry {
  name: string
  type: string
  summary: string
  is_optional: boolean
  deprecated: string | null
}

export interface SymbolEntry {
  name: string
  owner: string
  kind: string
  package: string
  signature: string
  summary: string
  deprecated: string | null
  options: OptionEntry[]
}

export interface BlockCheck {
  verdict: Verdict
  reason: string
  findings: Finding[]
  names: NameUse[]
  missing_imports: string[]
}

export interface PageCheck {
  blocks: (BlockCheck | null)[]
  symbols: SymbolEntry[]
}

export interface ExportEntry {
  symbol: SymbolEntry
  module: string
}
