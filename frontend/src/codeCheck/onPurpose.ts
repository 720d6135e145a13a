// Code that shows on purpose what is wrong or old: pages on migrations, and blocks whose comments or prose say so.

import type { Block, Page } from './messages.ts'

const MIGRATION_PAGE = /migrat|upgrad|deprecat|changelog|v\d+-to-|comparison|breaking/i
/** Words of a heading or of the sentence above a block, and of a comment beside the code. */
const OLD =
  /\b(?:deprecat\w*|removed|renamed|no longer|previously|formerly|before v?\d|in (?:version|v)\s?\d|used to (?:be|work|have)|old(?:er)? (?:api|version|way|syntax)|legacy|was called|migrat\w*)\b/i
const WRONG =
  /❌|🚫|⛔|👎|\b(?:wrong(?:ly)?|incorrect(?:ly)?|(?:won['’]t|will not|doesn['’]t|does not|do not|don['’]t) (?:work|compile|do)|not (?:work|allowed|supported)|anti-?pattern|mistakes?|type error|compile error)\b/i
/** Further words of a comment, which says less than a sentence. */
const COMMENT = /\b(?:bad|don['’]t|do not|avoid|old|before|error|invalid|not ok|throws?|fails?|typo|unsafe)\b/i
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
  if ([WRONG, OLD, COMMENT].some((words) => words.test(said))) return true
  if (OLD.test(block.heading) || WRONG.test(block.heading)) return true
  const sentence = block.before.split(/(?<=[.!?])\s+|\n+/).findLast((one) => one.trim()) ?? ''
  return OLD.test(sentence) || WRONG.test(sentence)
}

/** Whether the page itself calls a name deprecated: within the characters of a sentence. */
export function saysDeprecated(page: Page, name: string): boolean {
  const escaped = name.replace(/[^\w]/g, '\\$&')
  return new RegExp(`\\b${escaped}\\b[^]{0,${NEAR}}deprecat|deprecat[^]{0,${NEAR}}\\b${escaped}\\b`, 'i').test(page.text)
}
