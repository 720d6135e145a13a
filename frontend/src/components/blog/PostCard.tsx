import type { PostSummary } from '../../api/generated'
import { postLibraries } from '../../lib/blog'
import { libraryColors } from '../../lib/colors'
import { paths } from '../../lib/paths'
import { Badge } from '../ui/Badge'
import { Byline } from './Byline'
import { PostCover } from './PostCover'
import { PostLibraries } from './PostLibraries'
import { PostTags } from './PostTags'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

/** A post in the list, in the colors of its first library. */
export function PostCard({ post }: { post: PostSummary; }) {
  const shell = useShell()
  const libraries = postLibraries(post, shell)
  const [first] = libraries
  return (
    <li className="post-card" style={first ? libraryColors(first) : undefined}>
      <PostCover post={post} />
      <PostLibraries libraries={libraries} />
      <h2>
        <Link to={paths.post(post.slug)}>{post.title}</Link>
        {post.draft ? <Badge>Draft</Badge> : null}
      </h2>
      <p>{post.excerpt}</p>
      <PostTags tags={post.tags} />
      <Byline authors={post.authors} published={post.published} minutes={post.minutes} />
    </li>
  )
}
