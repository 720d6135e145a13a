// What the page says about a file that it cannot read: in the browser, and on the page that the server sends without scripts.
import type { Fault } from './packageFiles'

/** Empty for an unknown fault. `line` is that of the error in JSON, if it is known. */
export function faultMessage(fault: string, line?: number): string {
  const messages: Record<Fault, string> = {
    lock: 'This is a lock file. Paste the package.json beside it.',
    json: line
      ? `Line ${line} is not valid JSON. Look for a missing quote, a comment, or a comma too many or too few.`
      : 'This is not valid JSON.',
    none: 'This text names no package of the libraries here. Paste a whole package.json, or a pnpm-workspace.yaml with catalogs.',
    many: 'This file names more packages than this page shows. Paste the package.json of one project.',
    large: 'This text is too large for a package.json.',
  }
  return Object.hasOwn(messages, fault) ? messages[fault as Fault] : '' // `hasOwn` checked it
}
