import { createLazyFileRoute } from '@tanstack/react-router'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'
import { WebhookDeliveries } from '../../components/dashboard/WebhookDeliveries'

export const Route = createLazyFileRoute('/dashboard/deliveries')({ component: DeliveriesPage })

function DeliveriesPage() {
  const { load } = Route.useRouteContext()
  return (
    <DashboardFrame title="Webhook deliveries" load={load} needs="maintainer">
      {() => <WebhookDeliveries load={load} />}
    </DashboardFrame>
  )
}
