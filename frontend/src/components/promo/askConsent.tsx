// Asks whether third-party scripts may be loaded, and loads them after a yes.
import { createRoot } from 'react-dom/client'
import type { Root } from 'react-dom/client'
import type { Shell } from '../../api/generated'
import { VISITED } from '../../lib/events'
import { ID_PREFIX } from '../../lib/layoutIds'
import type { AreaAssets } from '../ui/AreaStyles'
import { AreaAssetsContext } from '../ui/AreaStyles'
import { ShellContext } from '../ui/useShell'
import { Consent, ConsentSetting } from './Consent'

/** Renders the question once for the document, and its setting on each page that has a place for it. */
export function askConsent(shell: Shell, assets: AreaAssets): void {
  const question = document.createElement('div')
  question.dataset.permanent = ''
  document.body.append(question)
  createRoot(question, { identifierPrefix: ID_PREFIX }).render(
    <AreaAssetsContext value={assets}>
      <ShellContext value={shell}>
        <Consent />
      </ShellContext>
    </AreaAssetsContext>,
  )
  let setting: Root | undefined
  const renderSetting = () => {
    setting?.unmount()
    const place = document.querySelector('[data-consent-setting]')
    setting = place ? createRoot(place, { identifierPrefix: ID_PREFIX }) : undefined
    setting?.render(
      <ShellContext value={shell}>
        <ConsentSetting />
      </ShellContext>,
    )
  }
  renderSetting()
  document.addEventListener(VISITED, renderSetting)
}
