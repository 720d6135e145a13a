import { createFileRoute } from '@tanstack/react-router'
import { Filters } from '../../components/blog/Filters'
import { PostCard } from '../../components/blog/PostCard'
import { Subscribe } from '../../components/blog/Subscribe'
import { Site } from '../../components/shell/Site'
import { Styles } from '../../components/ui/Styles'
import { feeds, listPosts, readFilter } from '../../lib/blog'
import { head } from '../../lib/meta'
import { paths } from '../../lib/paths'

export const Route = createFileRoute('/blog/')({
  validateSearch: readFilter,
  loader: ({ context }) => context.load('blog.list', null),
  head: ({ match: { context } }) => {
    if (!context.shell) return {}
    const { family, origin } = context.shell
    const { meta, links } = head({
      title: `Blog | ${family}`,
      description: `How the ${family} libraries fit together, how to move between their versions, and how this site is made.`,
      origin,
      canonical: paths.blog(),
    })
    return { meta, links: [...links, ...feeds(context.shell)] }
  },
  component: Blog,
})

function Blog() {
  const { shell } = Route.useRouteContext()
  const list = listPosts(Route.useLoaderData(), Route.useSearch(), shell)
  return (
    <Site shell={shell}>
      <Styles name="blog" />
      <div className="blog">
        <header className="blog-head">
          <h1>Blog</h1>
          <p>How the libraries fit together, how to move between their versions, and how this site is made.</p>
        </header>
        <Filters list={list} />
        {/* Said of the list: what follows a card is not known while the page arrives. */}
        <ul className="post-cards" data-odd={list.posts.length % 2 === 1 ? '' : undefined}>
          {list.posts.map((post) => (
            <PostCard key={post.slug} post={post} shell={shell} />
          ))}
        </ul>
        <Subscribe />
      </div>
    </Site>
  )
}
