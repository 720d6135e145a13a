// Updates the figures of a page with live events, and estimates those that grow by a known number each day.
import { LIVE_CHANGED, MARKUP_CHANGED } from '../lib/events'
import { formatDate, formatNumber } from '../lib/format'
import { estimate } from './estimate'
import type { Topic, TopicData, TopicState } from './topics'
import { topicKey } from './topics'

/** Milliseconds between two steps: five changes a second can be read as motion, and cost no measurable time. */
const STEP_MS = 200

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
const visible = new Set<Element>()
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) visible.add(target)
    else visible.delete(target)
  }
  schedule()
})
let timer: number | undefined

export function showFigures(): void {
  document.addEventListener(LIVE_CHANGED, (event) => update((event as CustomEvent<TopicState>).detail))
  document.addEventListener(MARKUP_CHANGED, observe)
  document.addEventListener('visibilitychange', schedule)
  reducedMotion.addEventListener('change', schedule)
  observe()
}

function observe(): void {
  observer.disconnect()
  visible.clear()
  for (const element of document.querySelectorAll('[data-figure][data-per-day]')) observer.observe(element)
  schedule()
}

/** Ticks while an estimate is visible in a visible tab, and motion is welcome. */
function schedule(): void {
  clearInterval(timer)
  timer = undefined
  const ticks = visible.size > 0 && document.visibilityState === 'visible' && !reducedMotion.matches
  if (ticks) timer = window.setInterval(tick, STEP_MS)
  else for (const element of document.querySelectorAll<HTMLElement>('[data-ticking]')) showCount(element)
}

function tick(): void {
  for (const element of visible) if (element instanceof HTMLElement) showEstimate(element)
}

function showEstimate(element: HTMLElement): void {
  const { value, perDay, asOf = '' } = element.dataset
  const estimated = estimate(Number(value), Number(perDay), asOf, Date.now())
  if (estimated === undefined) return showCount(element)
  element.dataset.ticking = ''
  setNumber(element, estimated)
}

function showCount(element: HTMLElement): void {
  delete element.dataset.ticking
  setNumber(element, Number(element.dataset.value))
}

function setNumber(element: HTMLElement, count: number): void {
  const number = element.querySelector('.figure-value')
  const text = formatNumber(count)
  if (number && number.textContent !== text) number.textContent = text
}

/** The figures by which others grow each day. */
const PER_DAY: Record<string, string> = { downloadsTotal: 'downloadsPerDay' }

/** Shows what has changed since the page was rendered. A figure that was unknown then appears with the next page. */
function update({ topic, data }: TopicState): void {
  for (const list of document.querySelectorAll<HTMLElement>('.figure-list[data-live]')) {
    // Written by the server.
    if (topicKey(JSON.parse(list.dataset.live ?? '') as Topic) !== topic) continue
    for (const element of list.querySelectorAll<HTMLElement>('[data-figure]')) updateFigure(element, data)
  }
}

function updateFigure(element: HTMLElement, data: TopicData): void {
  const { figure = '', perDay, ticking } = element.dataset
  const value = data[figure]
  const asOf = data[`${figure}AsOf`]
  if (typeof value !== 'number' || typeof asOf !== 'string') return
  const newPerDay = data[PER_DAY[figure] ?? '']
  Object.assign(element.dataset, { value, asOf }, perDay && newPerDay ? { perDay: newPerDay } : {})
  const note = element.querySelector('.figure-note > :first-child')
  if (note) note.textContent = `as of ${formatDate(asOf)}`
  if (ticking === undefined) showCount(element)
  else showEstimate(element)
}
