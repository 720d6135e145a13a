import { createLazyFileRoute } from '@tanstack/react-router'
import { FeedbackInbox } from '../../components/dashboard/FeedbackInbox'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'

export const Route = createLazyFileRoute('/dashboard/feedback')({ component: Feedback })

function Feedback() {
  const { load } = Route.useRouteContext()
  return (
    <DashboardFrame title="Feedback" load={load} needs="maintainer">
      {() => <FeedbackInbox load={load} />}
    </DashboardFrame>
  )
}
