// Exchanges saved items with the server while the reader is signed in.
import { callOverHttp, loader } from '../api/call'
import { SAVED_CHANGED } from '../lib/events'
import { exchangeItems, isExchangeDue, isSignedIn } from '../lib/accounts/savedItems'

/** How old what other devices saved may be on a page that is opened. */
const MAX_AGE_MS = 60_000
/** After a change: typing and scrolling make several. */
const PAUSE_MS = 2000
const RETRY_MS = 60_000

const load = loader(callOverHttp)
let timer = 0
let running = false

export function exchangeWhenDue(): void {
  if (isSignedIn() && isExchangeDue(MAX_AGE_MS)) void exchange()
  document.addEventListener(SAVED_CHANGED, () => {
    // The exchange itself changes items.
    if (!running && isSignedIn()) schedule(PAUSE_MS)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && timer) void exchange()
  })
}

function schedule(ms: number): void {
  clearTimeout(timer)
  timer = window.setTimeout(() => void exchange(), ms)
}

async function exchange(): Promise<void> {
  clearTimeout(timer)
  timer = 0
  if (running || !isSignedIn()) return
  running = true
  try {
    await exchangeItems((request) => load('account.exchange', request))
  } catch {
    // Offline, or the session has ended: the changes stay pending.
    schedule(RETRY_MS)
  } finally {
    running = false
  }
}
