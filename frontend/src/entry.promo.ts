// Bundle `promo`: rotates promotions and requests consent to third-party scripts. The boot script loads it after the reader's
// first interaction, on pages with promotions.
import { fetchShell } from './api/shared'
import { rotatePromos } from './components/promo/rotatePromos'

async function start(): Promise<void> {
  const shell = await fetchShell()
  rotatePromos(shell)
  if (shell.promo.externalScripts.length === 0) return
  const { styles = '{}' } = document.querySelector<HTMLElement>('script[data-app]')?.dataset ?? {}
  const { askConsent } = await import('./components/promo/askConsent')
  askConsent(shell, JSON.parse(styles))
}

// Without it, promotions stay as the server rendered them.
void start().catch(() => undefined)
