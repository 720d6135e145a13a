import { createLazyFileRoute } from '@tanstack/react-router'
import { Html } from '../api/html'
import { SignInStates } from '../components/accounts/SignInStates'
import { BlogStates } from '../components/blog/BlogStates'
import { DashboardStates } from '../components/dashboard/DashboardStates'
import { DesignSection, DesignTokens } from '../components/design/DesignTokens'
import { FigureStates } from '../components/design/FigureStates'
import { InteractiveComponents } from '../components/design/InteractiveComponents'
import { StaticComponents } from '../components/design/StaticComponents'
import { DocsStates } from '../components/docs/DocsStates'
import { ExampleStates } from '../components/examples/ExampleStates'
import { LandingStates } from '../components/landing/LandingStates'
import { SearchStates } from '../components/search/SearchStates'
import { StatisticsStates } from '../components/statistics/StatisticsStates'
import { PageLayout } from '../components/shell/PageLayout'
import { AreaStyles } from '../components/ui/AreaStyles'

const SAMPLE_DRAWING = new Html('<svg viewBox="0 0 320 240"><rect class="p" x="40" y="60" width="240" height="120" rx="12"/></svg>')

export const Route = createLazyFileRoute('/design')({ component: Design })

function Design() {
  // Loaded by the root route.
  const { shell } = Route.useRouteContext()
  const { examples } = Route.useLoaderData()
  return (
    <PageLayout>
      <AreaStyles name="interactive" />
      <AreaStyles name="search" />
      <AreaStyles name="landing" />
      <AreaStyles name="examples" />
      <AreaStyles name="page-notes" />
      <AreaStyles name="blog" />
      <AreaStyles name="statistics" />
      <AreaStyles name="sponsors" />
      <AreaStyles name="accounts" />
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
      <DesignSection id="docs-states" title="Docs" about="What a reader is told about a page, and how to answer.">
        <DocsStates />
      </DesignSection>
      <DesignSection id="demo-states" title="Demos" about="A drawing becomes a demo of the real library at the first touch.">
        <LandingStates drawing={SAMPLE_DRAWING} />
      </DesignSection>
      <DesignSection id="example-states" title="Examples" about="A list or a file that can't be shown says why, and leads to what can.">
        <ExampleStates />
      </DesignSection>
      <DesignSection id="blog-states" title="Blog" about="A filter without posts leads back to all of them.">
        <BlogStates />
      </DesignSection>
      <DesignSection id="statistics-states" title="Statistics" about="A package that is not drawn says why. Sample data is always marked.">
        <StatisticsStates />
      </DesignSection>
      <DesignSection id="figure-states" title="Live figures and sponsors" about="A figure that could not be updated keeps its last value and names its day. Unknown figures are left out.">
        <FigureStates />
      </DesignSection>
      <DesignSection id="sign-in-states" title="Sign-in" about="Every failure says what happened and what to do next.">
        <SignInStates />
      </DesignSection>
      <DesignSection id="dashboard-states" title="Dashboard" about="Without an account or a connection, the dashboard shows what this browser has.">
        <DashboardStates />
      </DesignSection>
      <InteractiveComponents />
    </PageLayout>
  )
}
