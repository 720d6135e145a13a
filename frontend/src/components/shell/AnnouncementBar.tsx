import type { ShownAnnouncement } from '../../api/generated'
import { closedAnnouncementScript } from '../../lib/closedAnnouncement'
import { anyUrl } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
import { IconButton } from '../ui/Button'
import { InlineScript } from '../ui/InlineScript'
import { AnyLink } from '../ui/Link'

/** What a site announces, above all else. The script precedes the bar: for readers who closed it, it is never painted. */
export function AnnouncementBar({ announcement: { key, text, href } }: { announcement: ShownAnnouncement }) {
  return (
    <>
      <AreaStyles name="announcement" />
      <InlineScript script={closedAnnouncementScript(key)} />
      <aside aria-label="Announcement" className="announcement">
        <p dir="auto">{href === null ? text : <AnyLink to={anyUrl(href)}>{text}</AnyLink>}</p>
        <IconButton data-close-announcement={key} needsScript icon="close" label="Close the announcement" />
      </aside>
    </>
  )
}
