import { createLazyFileRoute } from '@tanstack/react-router'
import { ActivityLog } from '../../components/dashboard/ActivityLog'
import { OpenConnections } from '../../components/dashboard/OpenConnections'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'

export const Route = createLazyFileRoute('/dashboard/activity')({ component: Activity })

function Activity() {
  const { load } = Route.useRouteContext()
  return (
    <DashboardFrame title="Activity" load={load} needs="maintainer">
      {() => (
        <>
          <OpenConnections load={load} />
          <ActivityLog load={load} />
        </>
      )}
    </DashboardFrame>
  )
}
