import { createFileRoute } from '@tanstack/react-router'
import { PostArticle } from '../../components/blog/PostArticle'
import { NotFound } from '../../components/shell/NotFound'
import { ArrivalNotice } from '../../components/shell/ArrivalNotice'
import { PageLayout } from '../../components/shell/PageLayout'
import { SiteLayout } from '../../components/shell/SiteLayout'
import { AreaStyles } from '../../components/ui/AreaStyles'
import { arrivalOrigin, loadArrival, parseArrivalSearch } from '../../lib/docs/arrival'
import { postMeta, feedLinks } from '../../lib/blog'
import { pageHead } from '../../lib/pageHead'
import { paths } from '../../lib/paths'
import { useShell } from '../../components/ui/useShell'
import { LinkButton } from '../../components/ui/Button'

export const Route = createFileRoute('/blog/$')({
  validateSearch: parseArrivalSearch,
  loaderDeps: ({ search }) => ({ origin: arrivalOrigin(search) }),
  loader: async ({ context: { load }, params: { _splat: path = '' }, deps: { origin } }) => {
    const [post, arrival] = await Promise.all([load('blog.post', { path }), loadArrival(load, origin)])
    return { post, arrival }
  },
  head: ({ match: { context }, loaderData }) => {
    if (!loaderData) return {}
    const { post } = loaderData
    const { meta, links } = pageHead(postMeta(post, context.shell))
    // Drafts are shared by their URL only.
    const hidden = post.draft ? [{ name: 'robots', content: 'noindex' }] : []
    return { meta: [...meta, ...hidden], links: [...links, ...feedLinks(context.shell)] }
  },
  component: BlogPost,
  notFoundComponent: PostNotFound,
})

function BlogPost() {
  const { post, arrival } = Route.useLoaderData()
  return (
    <PageLayout notice={<ArrivalNotice arrival={arrival} />}>
      <AreaStyles name="blog" />
      <PostArticle post={post} />
    </PageLayout>
  )
}

function PostNotFound() {
  const { features } = useShell()
  return (
    <SiteLayout>
      <NotFound message="Post not found.">
        {features.blog ? (
          <LinkButton to={paths.blog()} variant="primary">
            Blog Home
          </LinkButton>
        ) : null}
      </NotFound>
    </SiteLayout>
  )
}
