import { createLazyFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'
import { SavedComparisons } from '../../components/dashboard/SavedComparisons'
import { SavedNotes } from '../../components/dashboard/SavedNotes'
import { ReadingList } from '../../components/dashboard/ReadingList'

export const Route = createLazyFileRoute('/dashboard/')({ component: Dashboard })

function Dashboard() {
  const { load } = Route.useRouteContext()
  return (
    <DashboardFrame title="Dashboard" load={load} needs="nothing">
      {(account) => (
        <>
          <ReadingList load={load} />
          <SavedNotes />
          <SavedComparisons account={account} load={load} />
        </>
      )}
    </DashboardFrame>
  )
}
