// Bundle `promo`: rotates promotions and requests consent to third-party scripts. The boot script loads it after the reader's
// first interaction, on pages with promotions.
import { fetchShell } from './api/shared'
import { rotatePromos } from './components/promo/rotatePromos'
import { readAreaFiles } from './lib/areaFiles'

async function start(): Promise<void> {
  const shell = await fetchShell()
  rotatePromos(shell)
  if (shell.promo.externalScripts.length === 0) return
  const [{ askConsent }] = await Promise.all([import('./components/promo/askConsent'), window.__kinfolk.loadWholeStyles?.()])
  askConsent(shell, readAreaFiles())
}

// Without it, promotions stay as the server rendered them.
void start().catch(() => undefined)
