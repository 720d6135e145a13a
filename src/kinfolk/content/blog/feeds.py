"""Feeds of the blog: Atom (RFC 4287) and JSON Feed 1.1, with the full text of every post.

Posts are reduced to simple HTML with absolute links.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from kinfolk.content.blog.post import BlogPost
from kinfolk.content.markdown.html.feed_html import feed_html
from kinfolk.runtime.atom import (
    EPOCH,
    add_author,
    add_link,
    add_text,
    feed_document,
    new_feed,
    without_invalid_characters,
)
from kinfolk.runtime.atom import TYPE as ATOM_TYPE

ATOM_PATH, JSON_PATH = "/blog/feed.xml", "/blog/feed.json"
JSON_TYPE = "application/feed+json; charset=utf-8"


@dataclass(frozen=True)
class FeedMetadata:
    """Metadata of a feed. `origin` is the site's public URL; `product` is the author of posts without authors."""

    title: str
    description: str
    origin: str
    product: str

    def post_url(self, post: BlogPost) -> str:
        return f"{self.origin}/blog/{post.slug}"

    def image_url(self, post: BlogPost) -> str:
        image = post.front.image
        if image is None:
            return f"{self.origin}/og/blog/{post.slug}.jpg"
        return image if image.startswith("https://") else self.origin + image

    def authors(self, post: BlogPost) -> tuple[str, ...]:
        return post.front.authors or (self.product,)


def atom(metadata: FeedMetadata, posts: Sequence[BlogPost]) -> bytes:
    """The posts as Atom, newest first."""
    feed = new_feed()
    add_text(feed, "id", f"{metadata.origin}/blog")
    add_text(feed, "title", metadata.title)
    add_text(feed, "subtitle", metadata.description)
    add_text(feed, "updated", max((_timestamp(post.changed) for post in posts), default=EPOCH))
    add_author(feed, metadata.product)
    add_link(feed, "self", ATOM_TYPE, metadata.origin + ATOM_PATH)
    add_link(feed, "alternate", "text/html", f"{metadata.origin}/blog")
    add_text(feed, "generator", "Kinfolk")
    for post in posts:
        entry = ET.SubElement(feed, "entry")
        add_text(entry, "id", metadata.post_url(post))
        add_text(entry, "title", post.title)
        add_text(entry, "published", _timestamp(post.front.published))
        add_text(entry, "updated", _timestamp(post.changed))
        for author in metadata.authors(post):
            add_author(entry, author)
        for category in _categories(post):
            ET.SubElement(entry, "category", {"term": category})
        add_link(entry, "alternate", "text/html", metadata.post_url(post))
        add_text(entry, "summary", post.front.description)
        add_text(entry, "content", post_html(metadata, post), {"type": "html"})
    return feed_document(feed)


def json_feed(metadata: FeedMetadata, posts: Sequence[BlogPost]) -> bytes:
    """The posts as JSON Feed, newest first."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": metadata.title,
        "home_page_url": f"{metadata.origin}/blog",
        "feed_url": metadata.origin + JSON_PATH,
        "description": metadata.description,
        "language": "en",
        "authors": [{"name": metadata.product}],
        "items": [dict(_item(metadata, post)) for post in posts],
    }
    return json.dumps(feed, ensure_ascii=False, indent=1).encode(errors="replace")


def _item(metadata: FeedMetadata, post: BlogPost) -> Iterator[tuple[str, object]]:
    yield "id", metadata.post_url(post)
    yield "url", metadata.post_url(post)
    yield "title", post.title
    yield "summary", post.front.description
    yield "content_html", post_html(metadata, post)
    yield "image", metadata.image_url(post)
    yield "date_published", _timestamp(post.front.published)
    yield "date_modified", _timestamp(post.changed)
    yield "authors", [{"name": author} for author in metadata.authors(post)]
    if categories := _categories(post):
        yield "tags", categories


def _categories(post: BlogPost) -> list[str]:
    """Ids of libraries, then the tags that do not name one of these."""
    libraries = post.front.libraries
    return [*libraries, *(tag.name for tag in post.tags if tag.slug not in libraries)]


def post_html(metadata: FeedMetadata, post: BlogPost) -> str:
    """The post's body as HTML without classes, with absolute links."""
    return without_invalid_characters(feed_html(post.page.html(), address=metadata.post_url(post)))


def _timestamp(day: str) -> str:
    """Midnight UTC of the day, because posts have no time of day."""
    return f"{day}T00:00:00Z"
