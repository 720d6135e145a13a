import { paths } from '../../lib/paths'
import { Link } from '../ui/Link'

interface Props {
  library: string | undefined
  author: string | null | undefined
  tag?: string | undefined
}

/** Shown in place of an empty list of posts. */
export function NoPosts({ library, author, tag }: Props) {
  const about = library ? ` about ${library}` : ''
  const tagged = tag ? ` tagged ${tag}` : ''
  const by = author ? ` by ${author}` : ''
  return (
    <p className="fine-print">
      No posts{about}
      {tagged}
      {by} yet. {about || tagged || by ? <Link to={paths.blog()} className="text-link">See all posts</Link> : null}
    </p>
  )
}
