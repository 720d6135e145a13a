import { createLazyFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'
import { SiteOverrides } from '../../components/dashboard/SiteOverrides'

export const Route = createLazyFileRoute('/dashboard/promotions')({ component: Promotions })

function Promotions() {
  const { load } = Route.useRouteContext()
  return (
    <DashboardFrame title="Promotions" load={load} needs="maintainer">
      {() => <SiteOverrides load={load} />}
    </DashboardFrame>
  )
}
