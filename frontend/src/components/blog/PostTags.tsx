import type { PostTag } from '../../api/generated'
import { paths } from '../../lib/paths'
import { Link } from '../ui/Link'

/** The tags of a post. Each links to all posts with it. */
export function PostTags({ tags }: { tags: PostTag[] | undefined }) {
  if (!tags) return null
  return (
    <ul className="post-tags" aria-label="Tags">
      {tags.map(({ name, slug }) => (
        <li key={slug}>
          <Link to={paths.blog({ tag: slug })}>{name}</Link>
        </li>
      ))}
    </ul>
  )
}
