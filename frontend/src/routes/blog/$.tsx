import { createFileRoute } from '@tanstack/react-router'
import { Article } from '../../components/blog/Article'
import { NotFound } from '../../components/shell/NotFound'
import { Site } from '../../components/shell/Site'
import { SiteFrame } from '../../components/shell/SiteFrame'
import { Styles } from '../../components/ui/Styles'
import { aboutPost, feeds } from '../../lib/blog'
import { head } from '../../lib/meta'
import { paths } from '../../lib/paths'

export const Route = createFileRoute('/blog/$')({
  loader: ({ context, params }) => context.load('blog.post', { path: params._splat ?? '' }),
  head: ({ match: { context }, loaderData: post }) => {
    if (!post) return {}
    const { meta, links } = head(aboutPost(post, context.shell))
    // A draft is for those who were given its address.
    const hidden = post.draft ? [{ name: 'robots', content: 'noindex' }] : []
    return { meta: [...meta, ...hidden], links: [...links, ...feeds(context.shell)] }
  },
  component: BlogPost,
  notFoundComponent: PostNotFound,
})

function BlogPost() {
  const { shell } = Route.useRouteContext()
  return (
    <Site shell={shell}>
      <Styles name="blog" />
      <Article post={Route.useLoaderData()} shell={shell} />
    </Site>
  )
}

function PostNotFound() {
  const { shell } = Route.useRouteContext()
  return (
    <SiteFrame shell={shell}>
      <NotFound message="Post not found.">
        <a href={paths.blog()} className="button button-primary">
          Blog Home
        </a>
      </NotFound>
    </SiteFrame>
  )
}
