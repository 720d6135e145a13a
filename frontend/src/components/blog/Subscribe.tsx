import { paths } from '../../lib/paths'

/** How to hear of the next post. */
export function Subscribe({ markdown }: { markdown?: string }) {
  return (
    <p className="subscribe">
      Read new posts where you read everything else: <a href={paths.atom()}>Atom</a> or{' '}
      <a href={paths.jsonFeed()}>JSON Feed</a>, each with the whole text.
      {markdown ? (
        <>
          {' '}
          This post is also there <a href={markdown}>as Markdown</a>.
        </>
      ) : null}
    </p>
  )
}
