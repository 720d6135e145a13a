// Google Tag Manager: receives the time of the page view, and loads the tags of its account.
import type { ExternalScript } from '../../api/generated'
import { loadScript } from './loadScript'

declare global {
  interface Window {
    dataLayer?: object[]
  }
}

export async function tagManager({ script, account }: ExternalScript): Promise<undefined> {
  window.dataLayer ??= []
  window.dataLayer.push({ 'gtm.start': Date.now(), event: 'gtm.js' })
  await loadScript(`${script}?id=${encodeURIComponent(account)}`)
}
