// Bundle `codeNames`: the symbol popover of names in code blocks, and copies with the imports that a block lacks.
// The boot script loads it when the reader points at, touches or focuses a code block whose names are known.
import { receivePress, serveTouch } from './codeNames/longPress'
import { serveKeys } from './codeNames/nameKeys'
import { servePointer } from './codeNames/namePointer'
import { closeWithPage } from './codeNames/symbolPopover'
import type { CodeNamesBundle } from './lib/bootApi'
import styles from './styles/code-names.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(styles)
document.adoptedStyleSheets.push(sheet)

const loaded = performance.now()
closeWithPage()
serveKeys()
serveTouch()
servePointer()

export const receive: CodeNamesBundle['receive'] = (event) => {
  if (event.timeStamp < loaded) receivePress(event)
}
