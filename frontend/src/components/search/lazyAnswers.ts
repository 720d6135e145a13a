// The parts of answers, which a site without them never loads.
import { lazy } from 'react'
import type { AnswerPanel as Panel } from './answers/AnswerPanel'
import type { AskRow as Row } from './answers/AskRow'

const load = () => import('./answers/answersBundle')

/** Without a connection there is no row, and the search works on. */
export const AskRow = lazy<typeof Row>(() => load().then((answers) => ({ default: answers.AskRow }), nothing))
export const AnswerPanel = lazy<typeof Panel>(() => load().then((answers) => ({ default: answers.AnswerPanel }), nothing))

function nothing() {
  return { default: () => null as never }
}
