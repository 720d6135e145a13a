import type { Arrival } from '../../lib/docs/arrival'
import { ARRIVAL_SCRIPT } from '../../lib/docs/arrival'
import { anyUrl } from '../../lib/paths'
import { IconButton } from '../ui/Button'
import { InlineScript } from '../ui/InlineScript'
import { AnyLink } from '../ui/Link'

/** Says why the reader is on another page than the one that a link or a menu named. The boot script announces and hides it. */
export function ArrivalNotice({ arrival }: { arrival: Arrival | null }) {
  if (!arrival) return null
  const { origin, notice } = arrival
  return (
    // The boot script may have hidden it before React hydrates the page.
    <aside
      aria-label="About your link"
      className="notice-bar arrival-notice"
      data-arrival={origin}
      data-by-framework={notice.byFramework ? '' : undefined}
      suppressHydrationWarning
    >
      <p>
        <span>{notice.text}</span>
        {notice.lead ? <span>{notice.lead}</span> : null}
        {notice.links.map(({ title, to }) => (
          <AnyLink key={to} to={anyUrl(to)}>
            {title}
          </AnyLink>
        ))}
      </p>
      {notice.byFramework ? <InlineScript script={ARRIVAL_SCRIPT} /> : null}
      <IconButton data-dismiss-arrival="" needsScript icon="close" label="Dismiss" />
    </aside>
  )
}
