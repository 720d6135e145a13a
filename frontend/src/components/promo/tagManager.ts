// A tag manager: told when the page came, and loads whatever its owner has set up there.
import type { OutsideScript } from '../../api/generated'
import { loadScript } from './script'

declare global {
  interface Window {
    dataLayer?: object[]
  }
}

export async function tagManager({ script, account }: OutsideScript): Promise<undefined> {
  window.dataLayer ??= []
  window.dataLayer.push({ 'gtm.start': Date.now(), event: 'gtm.js' })
  await loadScript(`${script}?id=${encodeURIComponent(account)}`)
}
