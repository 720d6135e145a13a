import { createLazyFileRoute } from '@tanstack/react-router'
import { AccountSettings } from '../../components/dashboard/AccountSettings'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'

export const Route = createLazyFileRoute('/dashboard/account')({ component: Account })

function Account() {
  const { load } = Route.useRouteContext()
  return (
    <DashboardFrame title="Account" load={load} needs="account">
      {(account, reload) => (account ? <AccountSettings account={account} load={load} reload={reload} /> : null)}
    </DashboardFrame>
  )
}
