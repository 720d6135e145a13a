// Carbon: one ad per page. Its script inserts the ad next to the script element.
import type { ExternalScript } from '../../api/generated'
import type { AdProvider } from './adProvider'
import { loadScript, markFilled } from './loadScript'

declare global {
  interface Window {
    _carbonads?: { refresh(): void }
  }
}

const SCRIPT_ID = '_carbonads_js'
const AD_SELECTOR = '[id^="carbonads"]'

export async function carbon({ script, account }: ExternalScript): Promise<AdProvider> {
  let taken: HTMLElement | undefined
  // The script is inserted into a box, so it is loaded with the first box.
  const watch = new MutationObserver(() => {
    if (taken) markFilled(taken, taken.querySelector(AD_SELECTOR) !== null)
  })
  return {
    leaves: AD_SELECTOR,
    kindOf: () => 'carbonads',
    fill({ id }, place) {
      if (!id.endsWith('-rail')) return
      if (taken === place) return window._carbonads?.refresh()
      if (taken?.isConnected) return
      taken = place
      watch.observe(place, { childList: true, subtree: true })
      // Blocked or unavailable: the box keeps our content.
      loadScript(`${script}?${account}`, SCRIPT_ID, place).catch(() => undefined)
    },
  }
}
