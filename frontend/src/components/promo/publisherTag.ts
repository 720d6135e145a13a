// Google Publisher Tag: a queue of commands that its script runs once it has loaded.
import type { ExternalScript, PromoSlot } from '../../api/generated'
import type { AdProvider } from './adProvider'
import { loadScript, markFilled } from './loadScript'

interface AdSlot {
  addService(service: Ads): AdSlot
  setTargeting(key: string, value: string): AdSlot
  getSlotElementId(): string
}

interface Ads {
  disableInitialLoad(): void
  addEventListener(name: 'slotRenderEnded', act: (event: { slot: AdSlot; isEmpty: boolean }) => void): void
  refresh(slots: AdSlot[]): void
}

interface PublisherTag {
  cmd: (() => void)[] | { push(command: () => void): unknown }
  defineSlot(path: string, size: [number, number], id: string): AdSlot | null
  destroySlots(slots: AdSlot[]): boolean
  pubads(): Ads
  enableServices(): void
  display(id: string): void
}

declare global {
  interface Window {
    googletag?: Partial<PublisherTag> & Pick<PublisherTag, 'cmd'>
  }
}

const PREFIX = 'div-gpt-ad-'

export async function publisherTag({ script, account }: ExternalScript): Promise<AdProvider> {
  const queue = (window.googletag ??= { cmd: [] })
  const soon = (act: (tag: PublisherTag) => void) =>
    // The script runs the commands after it has defined its whole API.
    queue.cmd.push(() => act(window.googletag as PublisherTag))
  soon((tag) => {
    // Ads are requested for visible boxes only.
    tag.pubads().disableInitialLoad()
    tag.pubads().addEventListener('slotRenderEnded', ({ slot, isEmpty }) => {
      const place = document.getElementById(slot.getSlotElementId())?.parentElement
      if (place) markFilled(place, !isEmpty)
    })
    tag.enableServices()
  })
  const defined = new Map<string, { slot: AdSlot; place: HTMLElement }>()
  await loadScript(script)
  return {
    leaves: `[id^="${PREFIX}"]`,
    kindOf: ({ id }) => id,
    fill(slot, place) {
      soon((tag) => {
        const known = defined.get(slot.id)
        if (known && known.place === place) return tag.pubads().refresh([known.slot])
        // A navigation has replaced the box.
        if (known) tag.destroySlots([known.slot])
        const made = define(tag, slot, place, account)
        if (!made) return
        defined.set(slot.id, { slot: made, place })
        tag.display(PREFIX + slot.id)
        tag.pubads().refresh([made])
      })
    },
  }
}

function define(tag: PublisherTag, slot: PromoSlot, place: HTMLElement, account: string): AdSlot | undefined {
  const element = document.createElement('div')
  element.id = PREFIX + slot.id
  place.replaceChildren(element)
  const made = tag.defineSlot(account, [slot.width, slot.height], element.id)
  return made?.addService(tag.pubads()).setTargeting('slot', slot.targeting)
}
