"""Blog posts and their list."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from kinfolk.api.functions.headings import DocHeading, doc_headings
from kinfolk.api.registry import OMIT_EMPTY, Call, Html, registry, request_data
from kinfolk.content.blog import BlogPost
from kinfolk.content.blog.cover import cover_patterns
from kinfolk.content.blog.post_tags import PostTag
from kinfolk.content.landing.library_face import pattern_file
from kinfolk.content.markdown.html.extra_styles import needs_extra_styles
from kinfolk.content.redirects import Redirect
from kinfolk.runtime.cache import DOCS
from kinfolk.runtime.errors import NotFound


@dataclass(frozen=True)
class PostSummary:
    """A post in a list. Posts without authors are signed with the product's name.

    `cover` has the addresses of the patterns on its cover, one for each of its libraries, or one.
    """

    slug: str
    title: str
    published: str
    excerpt: str
    authors: tuple[str, ...]
    libraries: tuple[str, ...]
    cover: tuple[str, ...]
    minutes: int
    draft: bool
    tags: tuple[PostTag, ...] = field(default=(), metadata=OMIT_EMPTY)


@registry.function("blog.list", cache=DOCS)
async def blog_list(call: Call) -> tuple[PostSummary, ...]:
    """The front matter of all posts, newest first."""
    posts = call.content.blog.posts
    return await asyncio.to_thread(lambda: tuple(_summary(call, post) for post in posts))


def _summary(call: Call, post: BlogPost) -> PostSummary:
    front = post.front
    return PostSummary(
        slug=post.slug,
        title=front.title,
        published=front.published,
        excerpt=front.description,
        authors=front.authors,
        libraries=front.libraries,
        cover=_cover(call, post),
        minutes=post.minutes,
        draft=post.is_draft,
        tags=post.tags,
    )


def _cover(call: Call, post: BlogPost) -> tuple[str, ...]:
    patterns = cover_patterns(post, call.content.blog.posts, call.site.catalog)
    return tuple(
        f"/_patterns/posts/{post.slug}/{name}.svg?v={pattern_file(pattern).version}"
        for name, pattern in patterns.items()
    )


@request_data
class PostRequest:
    path: str


@dataclass(frozen=True)
class PostLink:
    slug: str
    title: str


@dataclass(frozen=True)
class Post:
    """`previous` is older and `next` is newer. `image` is the post's own share image, `cover` as in PostSummary."""

    slug: str
    title: str
    description: str
    published: str
    updated: str | None
    authors: tuple[str, ...]
    libraries: tuple[str, ...]
    cover: tuple[str, ...]
    minutes: int
    draft: bool
    image: str | None
    html: Html
    extra_styles: bool
    headings: tuple[DocHeading, ...]
    previous: PostLink | None
    next: PostLink | None
    tags: tuple[PostTag, ...] = field(default=(), metadata=OMIT_EMPTY)


@registry.function("blog.post", cache=DOCS)
async def blog_post(call: Call, request: PostRequest) -> Post | Redirect:
    """A post. A missing one redirects where `redirects.toml` says."""
    try:
        post = call.content.blog.post(request.path)
    except NotFound:
        redirect = call.docs.redirects.match(f"/blog/{request.path}", missing=True)
        if redirect is None:
            raise
        return redirect
    return await asyncio.to_thread(_post, call, post)


def _post(call: Call, post: BlogPost) -> Post:
    front = post.front
    older, newer = call.content.blog.around(post.slug)
    html = call.content.post_body(post)
    return Post(
        slug=post.slug,
        title=front.title,
        description=front.description,
        published=front.published,
        updated=front.updated,
        authors=front.authors,
        libraries=front.libraries,
        cover=_cover(call, post),
        minutes=post.minutes,
        draft=post.is_draft,
        image=front.image,
        html=Html(html),
        extra_styles=needs_extra_styles(html),
        headings=doc_headings(post.page.headings),
        previous=PostLink(older.slug, older.title) if older else None,
        next=PostLink(newer.slug, newer.title) if newer else None,
        tags=post.tags,
    )
