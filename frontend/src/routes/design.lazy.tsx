import { createLazyFileRoute } from '@tanstack/react-router'
import { Foundations } from '../components/design/Foundations'
import { Moving } from '../components/design/Moving'
import { Parts } from '../components/design/Parts'
import { Site } from '../components/shell/Site'
import { Styles } from '../components/ui/Styles'

export const Route = createLazyFileRoute('/design')({ component: Design })

function Design() {
  // The root asks for it before any page is drawn.
  const { shell } = Route.useRouteContext()
  return (
    <Site shell={shell}>
      <Styles name="parts" />
      <Styles name="design" />
      <p className="eyebrow">The design of this site</p>
      <h1 className="title">What everything here is made of</h1>
      <p className="lede design-lede">
        The colours, sizes and parts of this site, in the states that they have. Whoever adds to it looks here first.
      </p>
      <Foundations libraries={shell.libraries} />
      <Parts shell={shell} />
      <Moving />
    </Site>
  )
}
