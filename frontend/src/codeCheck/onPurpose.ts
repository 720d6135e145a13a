// Code that shows on purpose what is wrong or old: pages on migrations, and blocks whose comments or prose say so.

import type { Block, Page } from './messages.ts'

const MIGRATION_PAGE = /migrat|upgrad|deprecat|changelog|v\d+-to-|comparison|breaking/i
const OLD = /\b(?:deprecat\w*|removed|renamed|no longer|previous(?:ly)?|former(?:ly)?|before v?\d|in v\d|used to|old(?:er)? (?:api|version|way|syntax)|legacy|was called|migrat\w*)\b/i
const WRONG = /❌|🚫|⛔|👎|\b(?:wrong|incorrect|invalid|bad|avoid|don['’]?t|do not|not (?:work|possible|supported|allowed|valid)|won['’]t|doesn['’]t|does not|can(?:['’]t|not)|error|fails?|mistake|before|instead of|anti-pattern|not ok|unsafe|will throw|typo|misspel\w*)\b/i
const IGNORED = /@kinfolk-ignore(?::[ \t]*([^\n*]*))?/
const LINES_ABOVE = 3
const NEAR = 200

export function isMigrationPage(page: Page): boolean {
  return MIGRATION_PAGE.test(page.path) || MIGRATION_PAGE.test(page.title)
}

/** What the author says in `@kinfolk-ignore: reason`; null without such a comment. */
export function ignoredReason(code: string): string | null {
  const found = IGNORED.exec(code)
  return found ? (found[1]?.trim() ?? '') : null
}

/** Whether a comment at a 0-based line, above it, or the text above the block says that the code is wrong or old. */
export function isOnPurpose(block: Block, line: number): boolean {
  const lines = block.code.split('\n')
  const near = lines.slice(Math.max(0, line - LINES_ABOVE), line + 2)
  const comments = near.filter((one, index) => one.includes('//') || one.includes('/*') || (one.trim().startsWith('*') && index < near.length))
  const said = comments.map((one) => one.slice(Math.max(0, one.search(/\/\/|\/\*|\*/)))).join(' ')
  if (WRONG.test(said) || OLD.test(said)) return true
  if (OLD.test(block.heading) || WRONG.test(block.heading)) return true
  const sentences = block.before.split(/(?<=[.!?:])\s+|\n+/).filter(Boolean)
  return sentences.slice(-2).some((sentence) => OLD.test(sentence) || WRONG.test(sentence))
}

/** Whether the page itself calls a name deprecated: within the characters of a sentence. */
export function saysDeprecated(page: Page, name: string): boolean {
  const escaped = name.replace(/[^\w]/g, '\\$&')
  return new RegExp(`\\b${escaped}\\b[^]{0,${NEAR}}deprecat|deprecat[^]{0,${NEAR}}\\b${escaped}\\b`, 'i').test(page.text)
}
