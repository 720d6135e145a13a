import type { Post, PostLink } from '../../api/generated'
import { postLibraries, postCrumbs } from '../../lib/blog'
import { libraryColors } from '../../lib/colors'
import { hasTableOfContents } from '../../lib/docs/tableOfContents'
import { paths } from '../../lib/paths'
import { AreaStyles } from '../ui/AreaStyles'
import { Badge } from '../ui/Badge'
import { TableOfContents } from '../ui/TableOfContents'
import { Breadcrumbs } from '../ui/Breadcrumbs'
import { HtmlContent } from '../ui/HtmlContent'
import { AuthorNote } from './AuthorNote'
import { Byline } from './Byline'
import { PostCover } from './PostCover'
import { PostLibraries } from './PostLibraries'
import { PostTags } from './PostTags'
import { FeedLinks } from './FeedLinks'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'

/** A post: header, text with its table of contents, links to adjacent posts. */
export function PostArticle({ post }: { post: Post; }) {
  const shell = useShell()
  const libraries = postLibraries(post, shell)
  const [first] = libraries
  const outlined = hasTableOfContents({ toc: true, headings: post.headings })
  return (
    <div className="post" style={first ? libraryColors(first) : undefined}>
      <article>
        <header className="post-head">
          <Breadcrumbs crumbs={postCrumbs(post)} />
          <PostCover post={post} />
          <h1>
            {post.title}
            {post.draft ? <Badge>Draft</Badge> : null}
          </h1>
          <p className="post-lead">{post.description}</p>
          <Byline {...post} />
          <AuthorNote authors={post.authors} />
          <PostLibraries libraries={libraries} />
          <PostTags tags={post.tags} />
        </header>
        {outlined ? <TableOfContents headings={post.headings} /> : null}
        {post.tags ? <AreaStyles name="post-tags" /> : null}
        {post.extraStyles ? <AreaStyles name="extensions" /> : null}
        <HtmlContent html={post.html} className="prose" hasTabs />
      </article>
      <footer className="post-foot">
        <FeedLinks markdown={paths.postSource(post.slug)} />
        <PostPrevNext previous={post.previous} next={post.next} />
      </footer>
    </div>
  )
}

function PostPrevNext({ previous, next }: { previous: PostLink | null; next: PostLink | null }) {
  if (!previous && !next) return null
  return (
    <nav aria-label="Older and newer posts" className="prev-next">
      {previous ? <PostPrevNextLink post={previous} rel="prev" name="Older" /> : null}
      {next ? <PostPrevNextLink post={next} rel="next" name="Newer" /> : null}
    </nav>
  )
}

function PostPrevNextLink({ post, rel, name }: { post: PostLink; rel: 'prev' | 'next'; name: string }) {
  return (
    <Link to={paths.post(post.slug)} rel={rel}>
      <small>{name}</small> <span>{post.title}</span>
    </Link>
  )
}
