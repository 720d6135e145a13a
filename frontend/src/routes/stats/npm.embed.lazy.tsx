import { createLazyFileRoute } from '@tanstack/react-router'
import { EmbeddedComparison } from '../../components/statistics/EmbeddedComparison'
import { Main } from '../../components/ui/Main'

export const Route = createLazyFileRoute('/stats/npm/embed')({ component: Embed })

function Embed() {
  return (
    <Main className="stats-embed">
      <EmbeddedComparison chart={Route.useLoaderData()} />
    </Main>
  )
}
