import { createLazyFileRoute } from '@tanstack/react-router'
import { ContentVersions } from '../../components/dashboard/ContentVersions'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'

export const Route = createLazyFileRoute('/dashboard/content')({ component: ContentPage })

function ContentPage() {
  const { load } = Route.useRouteContext()
  return (
    <DashboardFrame title="Content" load={load} needs="maintainer">
      {() => <ContentVersions load={load} />}
    </DashboardFrame>
  )
}
