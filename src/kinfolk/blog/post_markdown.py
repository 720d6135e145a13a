"""Exports posts as Markdown, for `.md` routes and `llms.txt`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kinfolk.blog.post import BlogPost


def post_markdown(post: BlogPost, origin: str, *, by: str) -> str:
    """The post. `origin` is the base of its links to this site; `by` is the author of a post that names none."""
    body = post.exported.with_links(_PostLinkResolver(origin, post.slug))
    authors = ", ".join(post.front.authors) or by
    changed = f", updated {post.front.updated}" if post.front.updated else ""
    return f"# {post.title}\n\n> {post.front.description}\n\nBy {authors}, {post.front.published}{changed}\n\n{body}\n"


def posts_markdown(posts: Sequence[BlogPost], origin: str) -> str:
    """The posts as a list of links to their Markdown."""
    return "\n".join(
        f"- [{post.title}]({origin}/api/md/blog/{post.slug}): {post.front.description} ({post.front.published})"
        for post in posts
    )


@dataclass(frozen=True)
class _PostLinkResolver:
    """Makes links absolute, because a copied text has no base URL."""

    origin: str
    slug: str

    def link(self, href: str) -> tuple[str, bool]:
        return self._absolute(href), False

    def image(self, src: str) -> str:
        return self._absolute(src)

    def _absolute(self, target: str) -> str:
        if target.startswith("#"):
            return f"{self.origin}/blog/{self.slug}{target}"
        return f"{self.origin}{target}" if target.startswith("/") and not target.startswith("//") else target
