import { createLazyFileRoute } from '@tanstack/react-router'
import { StatisticsImporter } from '../../components/dashboard/StatisticsImporter'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'

export const Route = createLazyFileRoute('/dashboard/statistics')({ component: Statistics })

function Statistics() {
  const { load } = Route.useRouteContext()
  return (
    <DashboardFrame title="Statistics" load={load} needs="maintainer">
      {() => <StatisticsImporter load={load} />}
    </DashboardFrame>
  )
}
