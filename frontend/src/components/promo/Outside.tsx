// Scripts of others: where any are configured, the reader is asked, and all that follows is fetched only then.
import { useHydrated } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { lazy, Suspense } from 'react'
import type { Shell } from '../../api/generated'

interface Props {
  shell: Shell
}

/** A part that is not there is no harm: the page is whole without it. */
function optional(load: () => Promise<ComponentType<Props>>) {
  return lazy(() => load().then((found) => ({ default: found })).catch(() => ({ default: Nothing })))
}

function Nothing() {
  return null
}

const Consent = optional(() => import('./Consent').then(({ Consent: found }) => found))
const Choice = optional(() => import('./Consent').then(({ Choice: found }) => found))

/** Asks once, and loads what was agreed to. */
export function Outside({ shell }: Props) {
  return useWanted(shell) ? (
    <Suspense fallback={null}>
      <Consent shell={shell} />
    </Suspense>
  ) : null
}

/** Lets the reader change the answer. */
export function OutsideChoice({ shell }: Props) {
  return useWanted(shell) ? (
    <Suspense fallback={null}>
      <Choice shell={shell} />
    </Suspense>
  ) : null
}

function useWanted(shell: Shell | undefined): boolean {
  return useHydrated() && shell !== undefined && shell.promo.outside.length > 0
}
