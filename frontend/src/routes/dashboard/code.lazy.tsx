import { createLazyFileRoute } from '@tanstack/react-router'
import { CodeChecks } from '../../components/dashboard/CodeChecks'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'

export const Route = createLazyFileRoute('/dashboard/code')({ component: CodePage })

function CodePage() {
  const { load } = Route.useRouteContext()
  return (
    <DashboardFrame title="Code blocks" load={load} needs="maintainer">
      {() => <CodeChecks load={load} />}
    </DashboardFrame>
  )
}
