import { useEffect, useState } from 'react'
import type { Shell } from '../../api/generated'
import { VISITED } from '../../lib/events'
import { CONSENT } from '../../lib/storageKeys'
import { anyUrl } from '../../lib/paths'
import { formatList } from '../../lib/format'
import { AreaStyles } from '../ui/AreaStyles'
import { loadThirdParty } from './loadThirdParty'
import { Button } from '../ui/Button'
import { AnyLink } from '../ui/Link'
import { useShell } from '../ui/useShell'

type ConsentAnswer = 'yes' | 'no'

/** The stored answer. Global Privacy Control counts as a no. */
function readConsent(): ConsentAnswer | undefined {
  const said = window.__kinfolk.read(CONSENT)
  if (said === 'yes' || said === 'no') return said
  // Not in TypeScript's DOM types.
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl ? 'no' : undefined
}

export function Consent() {
  const shell = useShell()
  const [answer, setAnswer] = useState(readConsent)
  const { externalScripts, slots } = shell.promo
  useEffect(() => {
    if (answer !== 'yes') return
    return loadThirdParty(externalScripts, slots, onVisited)
  }, [answer, externalScripts, slots])
  if (answer) return null
  const say = (said: ConsentAnswer) => {
    window.__kinfolk.write(CONSENT, said)
    setAnswer(said)
  }
  return (
    <>
      <AreaStyles name="promo" />
      <section className="consent" aria-labelledby="Site-consent-title">
        <h2 id="Site-consent-title">Allow scripts from {scriptNames(shell)}?</h2>
        <p>
          They can see which pages you read here and may set cookies. The site works the same without them.
          {shell.links.privacy ? (
            <>
              {' '}
              <AnyLink to={anyUrl(shell.links.privacy)}>Privacy</AnyLink>
            </>
          ) : null}
        </p>
        <div className="consent-answers">
          <Button size="small" onClick={() => say('yes')}>
            Allow
          </Button>
          <Button size="small" onClick={() => say('no')}>
            No thanks
          </Button>
        </div>
      </section>
    </>
  )
}

function onVisited(act: () => void): () => void {
  document.addEventListener(VISITED, act)
  return () => document.removeEventListener(VISITED, act)
}

/** Shows the stored answer and changes it. The page reloads, since scripts cannot be unloaded. */
export function ConsentSetting() {
  const shell = useShell()
  const [answer] = useState(readConsent)
  if (!answer) return null
  return (
    <section className="consent-choice" aria-labelledby="Site-choice-title">
      <h2 id="Site-choice-title">Your answer</h2>
      <p>
        Scripts from {scriptNames(shell)}: {answer === 'yes' ? 'you allowed them.' : 'not allowed, and not loaded.'}
      </p>
      <Button onClick={() => changeConsent(answer === 'yes' ? 'no' : 'yes')}>
        {answer === 'yes' ? 'Withdraw' : 'Allow them'}
      </Button>
    </section>
  )
}

function changeConsent(said: ConsentAnswer): void {
  window.__kinfolk.write(CONSENT, said)
  location.reload()
}

function scriptNames({ promo }: Shell): string {
  return formatList([...new Set(promo.externalScripts.map(({ name }) => name))])
}
