import { createLazyFileRoute } from '@tanstack/react-router'
import { SearchActivity } from '../../components/dashboard/SearchActivity'
import { SharedQuestions } from '../../components/dashboard/SharedQuestions'
import { DashboardFrame } from '../../components/dashboard/DashboardFrame'

export const Route = createLazyFileRoute('/dashboard/searches')({ component: SearchesPage })

function SearchesPage() {
  const { load, shell } = Route.useRouteContext()
  return (
    <DashboardFrame title="Searches" load={load} needs="maintainer">
      {() => (
        <>
          <SearchActivity load={load} />
          {shell.features.answers ? <SharedQuestions load={load} /> : null}
        </>
      )}
    </DashboardFrame>
  )
}
