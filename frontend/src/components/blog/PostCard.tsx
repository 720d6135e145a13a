import type { PostSummary, Shell } from '../../api/generated'
import { librariesOf } from '../../lib/blog'
import { hue } from '../../lib/hue'
import { paths } from '../../lib/paths'
import { Badge } from '../ui/Badge'
import { Byline } from './Byline'
import { Libraries } from './Libraries'

/** A post in the list, in the colours of the first library it is about. */
export function PostCard({ post, shell }: { post: PostSummary; shell: Shell }) {
  const libraries = librariesOf(post, shell)
  const [first] = libraries
  return (
    <li className="post-card" style={first ? hue(first) : undefined}>
      <Libraries libraries={libraries} />
      <h2>
        <a href={paths.post(post.slug)}>{post.title}</a>
        {post.draft ? <Badge>Draft</Badge> : null}
      </h2>
      <p>{post.excerpt}</p>
      <Byline shell={shell} authors={post.authors} published={post.published} minutes={post.minutes} />
    </li>
  )
}
