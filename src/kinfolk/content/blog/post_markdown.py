"""Exports posts as Markdown, for `.md` routes and `llms.txt`."""

from __future__ import annotations

from collections.abc import Sequence

from kinfolk.content.blog.post import BlogPost
from kinfolk.content.markdown.export import index_note
from kinfolk.content.markdown.links.link_resolver import AbsoluteLinks


def post_markdown(post: BlogPost, origin: str, *, by: str) -> str:
    """The post. `origin` is the base of its links to this site; `by` is the author of a post that names none."""
    body = post.exported.with_links(AbsoluteLinks(origin, f"/blog/{post.slug}"))
    authors = ", ".join(post.front.authors) or by
    changed = f", updated {post.front.updated}" if post.front.updated else ""
    heading = f"# {post.title}\n\n> {post.front.description}\n\n{index_note(f'{origin}/llms.txt')}"
    return f"{heading}\n\nBy {authors}, {post.front.published}{changed}\n\n{body}\n"


def posts_markdown(posts: Sequence[BlogPost], origin: str) -> str:
    """The posts as a list of links to their Markdown."""
    return "\n".join(
        f"- [{post.title}]({origin}/blog/{post.slug}.md): {post.front.description} ({post.front.published})"
        for post in posts
    )
