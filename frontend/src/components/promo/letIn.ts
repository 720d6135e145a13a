// Lets in the scripts that the reader agreed to. Whatever they do — come late, not at all, or throw — the boxes keep what
// they show until somebody has put something into them.
import type { OutsideScript, PromoSlot } from '../../api/generated'
import { SLOT_SEEN } from '../../lib/events'
import { repeated } from '../../lib/promo'
import { carbon } from './carbon'
import { publisherTag } from './publisherTag'
import { tagManager } from './tagManager'

/** Somebody who fills boxes. Its own errors are its own business. */
export interface Provider {
  /** Put something, or something else, into the box. */
  fill(slot: PromoSlot, place: HTMLElement): void
  /** Selects what it puts into the page; elements of one kind are there once. */
  leaves: string
  kindOf(element: Element): string
}

type Connect = (script: OutsideScript) => Promise<Provider | undefined>

const CONNECT: Record<OutsideScript['kind'], Connect> = {
  'google-publisher-tag': publisherTag,
  carbon,
  'tag-manager': tagManager,
}

type Subscribe = (navigated: () => void) => () => void

/** Connects all of them. Gives what ends it. */
export function letIn(scripts: readonly OutsideScript[], slots: readonly PromoSlot[], onNavigated: Subscribe): () => void {
  const providers: Provider[] = []
  const tidy = () => {
    for (const { leaves, kindOf } of providers) {
      for (const extra of repeated([...document.querySelectorAll(leaves)], kindOf)) extra.remove()
    }
  }
  const fill = (box: EventTarget | null) => {
    const place = box instanceof HTMLElement ? box.querySelector<HTMLElement>('.promo-outside') : null
    const slot = box instanceof HTMLElement && slots.find(({ id }) => id === box.dataset.slot)
    if (!place || !slot || place.clientWidth < slot.width) return
    for (const provider of providers) attempt(() => provider.fill(slot, place))
    tidy()
  }
  const fillAll = () => {
    for (const box of document.querySelectorAll('.promo[data-seen]')) fill(box)
  }
  const navigated = () => {
    fillAll()
    tidy()
  }
  const seen = (event: Event) => fill(event.target)
  document.addEventListener(SLOT_SEEN, seen)
  const unsubscribe = onNavigated(navigated)
  for (const script of scripts) {
    CONNECT[script.kind](script)
      .then((provider) => {
        if (!provider) return
        providers.push(provider)
        fillAll()
      })
      // Blocked or broken: the page is as it was.
      .catch(() => undefined)
  }
  return () => {
    document.removeEventListener(SLOT_SEEN, seen)
    unsubscribe()
  }
}

function attempt(act: () => void): void {
  try {
    act()
  } catch {
    // A provider that throws fills nothing; ours stays.
  }
}
