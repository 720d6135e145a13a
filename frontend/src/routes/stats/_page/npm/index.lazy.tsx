import { createLazyFileRoute, useLoaderData } from '@tanstack/react-router'
import { PageLayout } from '../../../../components/shell/PageLayout'
import { RoutedComparison } from '../../../../components/statistics/RoutedComparison'

export const Route = createLazyFileRoute('/stats/_page/npm/')({ component: ComparisonByQuery })

function ComparisonByQuery() {
  const { load } = Route.useRouteContext()
  return (
    <PageLayout>
      <RoutedComparison loaded={Route.useLoaderData()} choices={useLoaderData({ from: '/stats/_page' })} load={load} />
    </PageLayout>
  )
}
