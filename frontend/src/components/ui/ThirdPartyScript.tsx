// Where the question about third-party scripts and its setting appear. `entry.promo.ts` renders them, on sites that have
// third-party scripts.
import { useContext } from 'react'
import { UnmanagedSpan } from './UnmanagedSpan'
import { ShellContext } from './useShell'

/** Marks a page on which the reader is asked. */
export function ThirdPartyScript() {
  return useHasThirdParty() ? <UnmanagedSpan data-consent="" hidden /> : null
}

/** Where the reader can change the answer. */
export function ThirdPartySetting() {
  return useHasThirdParty() ? <UnmanagedSpan data-consent-setting="" /> : null
}

function useHasThirdParty(): boolean {
  const shell = useContext(ShellContext)
  return shell !== null && shell.promo.externalScripts.length > 0
}
