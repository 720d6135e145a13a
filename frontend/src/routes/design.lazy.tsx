import { createLazyFileRoute } from '@tanstack/react-router'
import { DesignSection, DesignTokens } from '../components/design/DesignTokens'
import { InteractiveComponents } from '../components/design/InteractiveComponents'
import { StaticComponents } from '../components/design/StaticComponents'
import { SearchStates } from '../components/search/SearchStates'
import { PageLayout } from '../components/shell/PageLayout'
import { AreaStyles } from '../components/ui/AreaStyles'

export const Route = createLazyFileRoute('/design')({ component: Design })

function Design() {
  // Loaded by the root route.
  const { shell } = Route.useRouteContext()
  const { examples } = Route.useLoaderData()
  return (
    <PageLayout>
      <AreaStyles name="interactive" />
      <AreaStyles name="search" />
      <AreaStyles name="design" />
      <p className="eyebrow">For developers of this site</p>
      <h1 className="title">Design system</h1>
      <p className="lead design-lead">
        The colors, sizes and components of this site, in all their states. Look here before you add a new one.
      </p>
      <DesignTokens libraries={shell.libraries} />
      <StaticComponents />
      <DesignSection
        id="search-states"
        title="Search"
        about="Every state says what is happening and what to do next. Nothing shifts when results arrive late."
      >
        <SearchStates examples={examples} />
      </DesignSection>
      <InteractiveComponents />
    </PageLayout>
  )
}
