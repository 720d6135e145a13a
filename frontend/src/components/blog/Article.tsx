import type { Post, PostLink, Shell } from '../../api/generated'
import { librariesOf, postWay } from '../../lib/blog'
import { hue } from '../../lib/hue'
import { isOutlined } from '../../lib/outline'
import { paths } from '../../lib/paths'
import { Badge } from '../ui/Badge'
import { Contents } from '../ui/Contents'
import { Crumbs } from '../ui/Crumbs'
import { Markup } from '../ui/Markup'
import { Byline } from './Byline'
import { Libraries } from './Libraries'
import { Subscribe } from './Subscribe'

/** A post: its head, its text with the outline beside it, and ways on. */
export function Article({ post, shell }: { post: Post; shell: Shell }) {
  const libraries = librariesOf(post, shell)
  const [first] = libraries
  const outlined = isOutlined({ toc: true, headings: post.headings })
  return (
    <div className="post" style={first ? hue(first) : undefined}>
      <article>
        <header className="post-head">
          <Crumbs way={postWay(post)} />
          <h1>
            {post.title}
            {post.draft ? <Badge>Draft</Badge> : null}
          </h1>
          <p className="post-lead">{post.description}</p>
          <Byline shell={shell} {...post} />
          <Libraries libraries={libraries} />
        </header>
        {outlined ? <Contents headings={post.headings} /> : null}
        <Markup html={post.html} className="prose" />
      </article>
      <footer className="post-foot">
        <Subscribe markdown={paths.postSource(post.slug)} />
        <Around previous={post.previous} next={post.next} />
      </footer>
    </div>
  )
}

function Around({ previous, next }: { previous: PostLink | null; next: PostLink | null }) {
  if (!previous && !next) return null
  return (
    <nav aria-label="Older and newer posts" className="around">
      {previous ? <Neighbour post={previous} rel="prev" name="Older" /> : null}
      {next ? <Neighbour post={next} rel="next" name="Newer" /> : null}
    </nav>
  )
}

function Neighbour({ post, rel, name }: { post: PostLink; rel: 'prev' | 'next'; name: string }) {
  return (
    <a href={paths.post(post.slug)} rel={rel}>
      <small>{name}</small> <span>{post.title}</span>
    </a>
  )
}
