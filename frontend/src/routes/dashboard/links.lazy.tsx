import { createLazyFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'
import { LinkReports } from '../../components/dashboard/LinkReports'

export const Route = createLazyFileRoute('/dashboard/links')({ component: LinksPage })

function LinksPage() {
  const { load } = Route.useRouteContext()
  return (
    <DashboardFrame title="Links" load={load} needs="maintainer">
      {() => <LinkReports load={load} />}
    </DashboardFrame>
  )
}
