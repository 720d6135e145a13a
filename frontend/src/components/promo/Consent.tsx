import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Shell } from '../../api/generated'
import { CONSENT } from '../../lib/head'
import { paths } from '../../lib/paths'
import { listInWords } from '../../lib/words'
import { Styles } from '../ui/Styles'
import { letIn } from './letIn'

type Answer = 'yes' | 'no'

/** What the reader said; a browser that signals Global Privacy Control has said no for them. */
function answered(): Answer | undefined {
  const said = window.__kinfolk.read(CONSENT)
  if (said === 'yes' || said === 'no') return said
  // Not every browser has it, and TypeScript knows of none.
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl ? 'no' : undefined
}

export function Consent({ shell }: { shell: Shell }) {
  const router = useRouter()
  const [answer, setAnswer] = useState(answered)
  const { outside, slots } = shell.promo
  useEffect(() => {
    if (answer !== 'yes') return
    return letIn(outside, slots, (navigated) => router.subscribe('onRendered', navigated))
  }, [answer, outside, slots, router])
  if (answer) return null
  const say = (said: Answer) => {
    window.__kinfolk.write(CONSENT, said)
    setAnswer(said)
  }
  return (
    <>
      <Styles name="promo" />
      <section className="consent" aria-labelledby="consent-title">
        <h2 id="consent-title">May we load scripts of {namesOf(shell)}?</h2>
        <p>
          They would learn which pages you read here and may set cookies. The site works the same without them.{' '}
          <a href={paths.written('privacy')}>Privacy</a>
        </p>
        <div className="consent-answers">
          <button type="button" className="button button-small" onClick={() => say('yes')}>
            Allow
          </button>
          <button type="button" className="button button-small" onClick={() => say('no')}>
            No, thank you
          </button>
        </div>
      </section>
    </>
  )
}

/** What was answered, and the way to answer otherwise. What has been loaded goes with the page. */
export function Choice({ shell }: { shell: Shell }) {
  const [answer] = useState(answered)
  if (!answer) return null
  return (
    <section className="consent-choice" aria-labelledby="choice-title">
      <h2 id="choice-title">Your answer</h2>
      <p>
        Scripts of {namesOf(shell)}: {answer === 'yes' ? 'you allowed them.' : 'not allowed, and not loaded.'}
      </p>
      <button type="button" className="button" onClick={() => sayAnew(answer === 'yes' ? 'no' : 'yes')}>
        {answer === 'yes' ? 'Take it back' : 'Allow them'}
      </button>
    </section>
  )
}

function sayAnew(said: Answer): void {
  window.__kinfolk.write(CONSENT, said)
  location.reload()
}

function namesOf({ promo }: Shell): string {
  return listInWords([...new Set(promo.outside.map(({ name }) => name))])
}
