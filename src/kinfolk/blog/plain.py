"""Posts as Markdown, for readers that are programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kinfolk.blog.post import Post


def post_text(post: Post, origin: str, *, by: str) -> str:
    """The whole post; `origin` begins its links to this site, `by` is who speaks where no author is named."""
    body = post.wording.linked(_Absolute(origin, post.slug))
    authors = ", ".join(post.front.authors) or by
    changed = f", updated {post.front.updated}" if post.front.updated else ""
    return f"# {post.title}\n\n> {post.front.description}\n\nBy {authors}, {post.front.published}{changed}\n\n{body}\n"


def index_text(posts: Sequence[Post], origin: str) -> str:
    """The posts as a list of links to their Markdown."""
    return "\n".join(
        f"- [{post.title}]({origin}/api/md/blog/{post.slug}): {post.front.description} ({post.front.published})"
        for post in posts
    )


@dataclass(frozen=True)
class _Absolute:
    """Links made whole: a text that was copied elsewhere has no base."""

    origin: str
    slug: str

    def link(self, href: str) -> tuple[str, bool]:
        return self._whole(href), False

    def image(self, src: str) -> str:
        return self._whole(src)

    def _whole(self, target: str) -> str:
        if target.startswith("#"):
            return f"{self.origin}/blog/{self.slug}{target}"
        return f"{self.origin}{target}" if target.startswith("/") and not target.startswith("//") else target
