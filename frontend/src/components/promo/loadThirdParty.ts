// Loads the third-party scripts that the reader allowed. If they are late, blocked or throw, the boxes keep their own
// content until a provider has filled them.
import type { ExternalScript, PromoSlot } from '../../api/generated'
import { SLOT_SEEN } from '../../lib/events'
import { findDuplicates } from '../../lib/promo'
import type { AdProvider } from './adProvider'
import { carbon } from './carbon'
import { publisherTag } from './publisherTag'
import { tagManager } from './tagManager'

type ConnectProvider = (script: ExternalScript) => Promise<AdProvider | undefined>

const CONNECTORS: Record<ExternalScript['kind'], ConnectProvider> = {
  'google-publisher-tag': publisherTag,
  carbon,
  'tag-manager': tagManager,
}

type Subscribe = (navigated: () => void) => () => void

/** Connects all providers. Returns a function that disconnects them. */
export function loadThirdParty(scripts: readonly ExternalScript[], slots: readonly PromoSlot[], onNavigated: Subscribe): () => void {
  const providers: AdProvider[] = []
  const tidy = () => {
    for (const { leaves, kindOf } of providers) {
      for (const extra of findDuplicates([...document.querySelectorAll(leaves)], kindOf)) extra.remove()
    }
  }
  const fill = (box: EventTarget | null) => {
    const place = box instanceof HTMLElement ? box.querySelector<HTMLElement>('.promo-third-party') : null
    const slot = box instanceof HTMLElement && slots.find(({ id }) => id === box.dataset.slot)
    if (!place || !slot || place.clientWidth < slot.width) return
    for (const provider of providers) ignoreErrors(() => provider.fill(slot, place))
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
    CONNECTORS[script.kind](script)
      .then((provider) => {
        if (!provider) return
        providers.push(provider)
        fillAll()
      })
      // Blocked or broken: the page is unchanged.
      .catch(() => undefined)
  }
  return () => {
    document.removeEventListener(SLOT_SEEN, seen)
    unsubscribe()
  }
}

function ignoreErrors(act: () => void): void {
  try {
    act()
  } catch {
    // The box keeps our content.
  }
}
