// Rotates what the promotion boxes of a page show, while they are visible, and reports visible boxes to ad providers.
import type { PromoSlot, Shell } from '../../api/generated'
import { SLOT_SEEN, VISITED } from '../../lib/events'
import type { PromoContent } from './choosePromo'
import { choosePromo, promoChoices, rotationMs } from './choosePromo'
import { PausableTimer } from './PausableTimer'
import { currentPath, withBase } from '../../lib/paths'

/** A box counts as visible when half of it is in the window. */
const VISIBLE_RATIO = 0.5

/** Where motion is unwelcome, nothing changes by itself. */
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')

class PromoBox {
  #turn = 0
  #inWindow = false
  #paused = false
  #reported = false
  #choices = 0
  readonly #rotation: PausableTimer
  readonly #refresh: PausableTimer

  constructor(
    readonly element: HTMLElement,
    readonly slot: PromoSlot,
    readonly shell: Shell,
  ) {
    this.#rotation = new PausableTimer(rotationMs(slot, shell), () => this.#rotate())
    this.#refresh = new PausableTimer(slot.refreshMs, () => this.#report())
    this.#pauseButton?.addEventListener('click', () => this.#togglePause())
    this.#count()
    this.update()
  }

  set inWindow(inWindow: boolean) {
    this.#inWindow = inWindow
    this.update()
  }

  /** Adopts the markup of another page in the same element. */
  restart(): void {
    this.#turn = 0
    this.#setPaused(false)
    this.#rotation.reset()
    this.#count()
    this.update()
  }

  stop(): void {
    this.#rotation.running = false
    this.#refresh.running = false
  }

  update(): void {
    const visible = this.#inWindow && document.visibilityState === 'visible'
    this.element.toggleAttribute('data-seen', visible)
    const rotates = !reducedMotion.matches && this.#choices > 1
    const refreshes = !reducedMotion.matches && this.#hasAds
    if (this.#pauseButton) this.#pauseButton.hidden = !rotates && !refreshes
    const runs = visible && !this.#paused
    this.#rotation.running = runs && rotates
    this.#refresh.running = runs && refreshes
    if (visible && this.#hasAds && !this.#reported) this.#report()
  }

  get #hasAds(): boolean {
    return this.shell.promo.externalScripts.length > 0
  }

  #count(): void {
    this.#choices = promoChoices(this.slot, this.shell, this.element.dataset.library).length
  }

  get #pauseButton(): HTMLButtonElement | null {
    return this.element.querySelector('button')
  }

  #report(): void {
    this.#reported = true
    this.element.dispatchEvent(new Event(SLOT_SEEN, { bubbles: true }))
  }

  #togglePause(): void {
    this.#setPaused(!this.#paused)
    this.update()
  }

  #setPaused(paused: boolean): void {
    this.#paused = paused
    const [label] = this.#pauseButton?.childNodes ?? []
    if (label) label.textContent = paused ? 'Resume' : 'Pause'
  }

  #rotate(): void {
    this.#turn += 1
    const content = choosePromo(this.slot, this.shell, this.element.dataset.library, currentPath(), this.#turn)
    if (content) render(this.element, content)
  }
}

function render(box: HTMLElement, { kind, name, words, more, href, rel, style }: PromoContent): void {
  box.ariaLabel = `${kind}: ${name}`
  const link = box.querySelector<HTMLAnchorElement>('.promo-house-ad')
  link?.setAttribute('href', withBase(href))
  if (rel) link?.setAttribute('rel', rel)
  else link?.removeAttribute('rel')
  link?.removeAttribute('style')
  for (const [property, value] of Object.entries(style ?? {})) link?.style.setProperty(property, String(value))
  setText(link?.querySelector('strong'), name)
  setText(link?.querySelector('span'), words)
  setText(link?.querySelector('.promo-action'), more)
  setText(box.querySelector('.promo-footer > span'), kind)
}

function setText(element: Element | null | undefined, text: string): void {
  if (element) element.textContent = text
}

/** Rotates the boxes of this page and of those that are visited afterwards. */
export function rotatePromos(shell: Shell): void {
  const boxes = new Map<Element, PromoBox>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const box = boxes.get(target)
        if (box) box.inWindow = isIntersecting
      }
    },
    { threshold: VISIBLE_RATIO },
  )
  const collect = () => {
    for (const [element, box] of boxes) {
      if (element.isConnected) continue
      box.stop()
      observer.unobserve(element)
      boxes.delete(element)
    }
    for (const element of document.querySelectorAll<HTMLElement>('.promo')) {
      const slot = shell.promo.slots.find(({ id }) => id === element.dataset.slot)
      const known = boxes.get(element)
      if (known && known.slot === slot) {
        known.restart()
      } else if (slot) {
        boxes.set(element, new PromoBox(element, slot, shell))
        observer.observe(element)
      }
    }
  }
  collect()
  document.addEventListener(VISITED, collect)
  const updateAll = () => {
    for (const box of boxes.values()) box.update()
  }
  document.addEventListener('visibilitychange', updateAll)
  reducedMotion.addEventListener('change', updateAll)
}
