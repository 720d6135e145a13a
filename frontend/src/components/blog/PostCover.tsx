import type { PostSummary } from '../../api/generated'
import { postLibraries } from '../../lib/blog'
import { libraryColors, patternStyle } from '../../lib/colors'
import { useShell } from '../ui/useShell'

/** The picture of a post: a pattern for each of its libraries side by side, or one of its own. Decorative. */
export function PostCover({ post }: { post: Pick<PostSummary, 'libraries' | 'cover'> }) {
  const libraries = postLibraries(post, useShell())
  return (
    <div className="post-cover" aria-hidden="true">
      {post.cover.map((pattern, at) => {
        const library = libraries[at]
        return <span key={pattern} className="patterned" style={{ ...(library && libraryColors(library)), ...patternStyle(pattern) }} />
      })}
    </div>
  )
}
