import { useCallback, useEffect, useState } from 'react'
import type { Load } from '../../api/call'
import type { AccountDetails } from '../../api/generated'
import { exchangeItems, forgetAccount } from '../../lib/accounts/savedItems'

export type DashboardState =
  | { kind: 'loading' }
  | { kind: 'signed-out' }
  | { kind: 'signed-in'; account: AccountDetails }
  | { kind: 'failed' }

/** Who is signed in. Exchanges saved items once the account is known. */
export function useDashboard(load: Load): { state: DashboardState; reload: () => void } {
  const [state, setState] = useState<DashboardState>({ kind: 'loading' })
  const reload = useCallback(() => {
    load('dashboard.load', null).then(
      ({ account }) => {
        setState(account ? { kind: 'signed-in', account } : { kind: 'signed-out' })
        if (account) exchangeItems((request) => load('account.exchange', request)).catch(() => undefined)
        else forgetAccount()
      },
      () => setState({ kind: 'failed' }),
    )
  }, [load])
  useEffect(reload, [reload])
  return { state, reload }
}
