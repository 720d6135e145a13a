import { createFileRoute, notFound } from '@tanstack/react-router'
import { AuthorNote } from '../../components/blog/AuthorNote'
import { PostFilters } from '../../components/blog/PostFilters'
import { PostCard } from '../../components/blog/PostCard'
import { NoPosts } from '../../components/blog/NoPosts'
import { FeedLinks } from '../../components/blog/FeedLinks'
import { PageLayout } from '../../components/shell/PageLayout'
import { AreaStyles } from '../../components/ui/AreaStyles'
import { blogDescription, feedLinks, listMeta, listPosts, parsePostFilter } from '../../lib/blog'
import { pageHead } from '../../lib/pageHead'
import { paths } from '../../lib/paths'

export const Route = createFileRoute('/blog/')({
  validateSearch: parsePostFilter,
  loader: ({ context: { load, shell } }) => {
    if (!shell.features.blog) throw notFound()
    return load('blog.list', null)
  },
  head: ({ match: { context, search }, loaderData }) => {
    if (!context.shell) return {}
    const { origin, features } = context.shell
    if (!features.blog) return {}
    const { tag } = listPosts(loaderData ?? [], search, context.shell)
    const { meta, links } = pageHead({
      ...listMeta(tag, context.shell),
      origin,
      canonical: paths.blog(),
    })
    return { meta, links: [...links, ...feedLinks(context.shell)] }
  },
  component: Blog,
})

function Blog() {
  const { shell } = Route.useRouteContext()
  const list = listPosts(Route.useLoaderData(), Route.useSearch(), shell)
  return (
    <PageLayout>
      <AreaStyles name="blog" />
      {list.tags.length > 0 || list.posts.some(({ tags }) => tags) ? <AreaStyles name="post-tags" /> : null}
      <div className="blog" data-loads-app={shell.isStatic ? '' : undefined}>
        <header className="blog-head">
          <h1>Blog</h1>
          <p>{blogDescription(shell)}</p>
        </header>
        <AuthorNote authors={list.posts.flatMap(({ authors }) => authors)} />
        <PostFilters list={list} />
        {/* On the list: while the page loads, CSS cannot know whether a card is the last one. */}
        {list.posts.length > 0 ? (
          <ul className="post-cards" data-odd={list.posts.length % 2 === 1 ? '' : undefined}>
            {list.posts.map((post) => (
              <PostCard key={post.slug} post={post} />
            ))}
          </ul>
        ) : (
          <NoPosts library={list.library?.shortName} author={list.author} tag={list.tag?.name} />
        )}
        <FeedLinks />
      </div>
    </PageLayout>
  )
}
