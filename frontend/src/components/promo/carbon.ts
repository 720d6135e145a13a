// Carbon: one ad a page, which its script puts where the script itself stands.
import type { OutsideScript } from '../../api/generated'
import type { Provider } from './letIn'
import { loadScript, markFilled } from './script'

declare global {
  interface Window {
    _carbonads?: { refresh(): void }
  }
}

const SCRIPT = '_carbonads_js'
const LEAVES = '[id^="carbonads"]'

export async function carbon({ script, account }: OutsideScript): Promise<Provider> {
  let taken: HTMLElement | undefined
  // Its script cannot come before there is a box for it to stand in.
  const watch = new MutationObserver(() => {
    if (taken) markFilled(taken, taken.querySelector(LEAVES) !== null)
  })
  return {
    leaves: LEAVES,
    kindOf: () => 'carbonads',
    fill({ id }, place) {
      if (!id.endsWith('-rail')) return
      if (taken === place) return window._carbonads?.refresh()
      if (taken?.isConnected) return
      taken = place
      watch.observe(place, { childList: true, subtree: true })
      // Not there, or blocked: ours stays.
      loadScript(`${script}?${account}`, SCRIPT, place).catch(() => undefined)
    },
  }
}
