import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import type { Load } from '../../api/call'
import type { ComparisonChoices } from '../../api/generated'
import type { ComparisonSearch } from '../../lib/statistics/comparison'
import type { LoadedComparison } from '../../lib/statistics/loadComparison'
import { ComparisonPage } from './ComparisonPage'

interface Props {
  loaded: LoadedComparison
  choices: ComparisonChoices
  load: Load
}

/** A comparison whose state is in the URL. Comparisons with a path of their own become ones with a query when they change. */
export function RoutedComparison({ loaded, choices, load }: Props) {
  const router = useRouter()
  const navigate = useNavigate()
  const search = useRouterState({ select: ({ location }) => location.search })
  const loading = useRouterState({ select: ({ isLoading }) => isLoading })
  return (
    <ComparisonPage
      {...loaded}
      choices={choices}
      load={load}
      loading={loading}
      search={search}
      navigate={(next: ComparisonSearch, how) =>
        void navigate({ to: '/stats/npm', search: next, replace: how === 'replace', resetScroll: false })
      }
      refresh={() => void router.invalidate()}
    />
  )
}
