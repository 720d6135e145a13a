import { createLazyFileRoute } from '@tanstack/react-router'
import { DesignTokens } from '../components/design/DesignTokens'
import { InteractiveComponents } from '../components/design/InteractiveComponents'
import { StaticComponents } from '../components/design/StaticComponents'
import { PageLayout } from '../components/shell/PageLayout'
import { AreaStyles } from '../components/ui/AreaStyles'

export const Route = createLazyFileRoute('/design')({ component: Design })

function Design() {
  // Loaded by the root route.
  const { shell } = Route.useRouteContext()
  return (
    <PageLayout>
      <AreaStyles name="interactive" />
      <AreaStyles name="design" />
      <p className="eyebrow">The design of this site</p>
      <h1 className="title">What everything here is made of</h1>
      <p className="lead design-lead">
        The colors, sizes and components of this site, in all their states. Look here before you add a new one.
      </p>
      <DesignTokens libraries={shell.libraries} />
      <StaticComponents />
      <InteractiveComponents />
    </PageLayout>
  )
}
