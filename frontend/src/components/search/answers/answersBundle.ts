// What the search loads on a site that answers questions: the row, the panel, and their styles.
import styles from '../../../styles/answers.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(styles)
document.adoptedStyleSheets.push(sheet)

export { AnswerPanel } from './AnswerPanel'
export { AskRow } from './AskRow'
