import { createFileRoute } from '@tanstack/react-router'
import { PostArticle } from '../../components/blog/PostArticle'
import { NotFound } from '../../components/shell/NotFound'
import { PageLayout } from '../../components/shell/PageLayout'
import { SiteLayout } from '../../components/shell/SiteLayout'
import { AreaStyles } from '../../components/ui/AreaStyles'
import { postMeta, feedLinks } from '../../lib/blog'
import { pageHead } from '../../lib/pageHead'
import { paths } from '../../lib/paths'
import { LinkButton } from '../../components/ui/Button'

export const Route = createFileRoute('/blog/$')({
  loader: ({ context, params }) => context.load('blog.post', { path: params._splat ?? '' }),
  head: ({ match: { context }, loaderData: post }) => {
    if (!post) return {}
    const { meta, links } = pageHead(postMeta(post, context.shell))
    // Drafts are shared by their URL only.
    const hidden = post.draft ? [{ name: 'robots', content: 'noindex' }] : []
    return { meta: [...meta, ...hidden], links: [...links, ...feedLinks(context.shell)] }
  },
  component: BlogPost,
  notFoundComponent: PostNotFound,
})

function BlogPost() {
  return (
    <PageLayout>
      <AreaStyles name="blog" />
      <PostArticle post={Route.useLoaderData()} />
    </PageLayout>
  )
}

function PostNotFound() {
  return (
    <SiteLayout>
      <NotFound message="Post not found.">
        <LinkButton to={paths.blog()} variant="primary">
          Blog Home
        </LinkButton>
      </NotFound>
    </SiteLayout>
  )
}
