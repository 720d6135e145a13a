import { paths } from '../../lib/paths'
import { Link } from '../ui/Link'

interface Props {
  library: string | undefined
  author: string | null | undefined
}

/** Shown in place of an empty list of posts. */
export function NoPosts({ library, author }: Props) {
  const about = library ? ` about ${library}` : ''
  const by = author ? ` by ${author}` : ''
  return (
    <p className="fine-print">
      No posts{about}
      {by} yet. {about || by ? <Link to={paths.blog()} className="text-link">See all posts</Link> : null}
    </p>
  )
}
