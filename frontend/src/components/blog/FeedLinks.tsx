import { paths } from '../../lib/paths'
import { Link } from '../ui/Link'
import type { SitePath } from '../../lib/paths'

/** Links to the feeds of the blog. */
export function FeedLinks({ markdown }: { markdown?: SitePath }) {
  return (
    <p className="feed-links">
      Follow the blog in your feed reader: <Link to={paths.atom()}>Atom</Link> or{' '}
      <Link to={paths.jsonFeed()}>JSON Feed</Link>, both with full text.
      {markdown ? (
        <>
          {' '}
          This post is also there <Link to={markdown}>as Markdown</Link>.
        </>
      ) : null}
    </p>
  )
}
