"""Feeds of the blog: Atom (RFC 4287) and JSON Feed 1.1, with the full text of every post.

Feed readers have neither the site's styles nor its base URL, so posts are reduced to simple HTML with absolute links.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import nh3

from kinfolk.blog.post import BlogPost

ATOM_PATH, JSON_PATH = "/blog/feed.xml", "/blog/feed.json"
ATOM_TYPE, JSON_TYPE = "application/atom+xml; charset=utf-8", "application/feed+json; charset=utf-8"

_ATOM = "http://www.w3.org/2005/Atom"
_SELF_LINK = re.compile(r'<a class="anchor"[^<>]*></a>')
_CALLOUT_TITLE = re.compile(r'<p class="callout-title">([^<]*+(?:<(?!/?p\b)[^<]*+)*+)</p>')
_TAGS = set(
    "a b blockquote br code dd del details div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img kbd li ol p pre s "
    "strong sub summary sup table tbody td th thead tr ul".split()
)
_ATTRIBUTES = {"a": {"href"}, "img": {"src", "alt", "width", "height"}, "ol": {"start"}, "th": {"scope"}}
# Characters that XML 1.0 does not allow, not even escaped.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


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
            return f"{self.origin}/og/blog/{post.slug}.png"
        return image if image.startswith("https://") else self.origin + image

    def authors(self, post: BlogPost) -> tuple[str, ...]:
        return post.front.authors or (self.product,)


def atom(metadata: FeedMetadata, posts: Sequence[BlogPost]) -> bytes:
    """The posts as Atom, newest first."""
    feed = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _text(feed, "id", f"{metadata.origin}/blog")
    _text(feed, "title", metadata.title)
    _text(feed, "subtitle", metadata.description)
    _text(feed, "updated", _timestamp(max((post.changed for post in posts), default="1970-01-01")))
    _person(feed, metadata.product)
    _link(feed, "self", ATOM_TYPE, metadata.origin + ATOM_PATH)
    _link(feed, "alternate", "text/html", f"{metadata.origin}/blog")
    _text(feed, "generator", "Kinfolk")
    for post in posts:
        entry = ET.SubElement(feed, "entry")
        _text(entry, "id", metadata.post_url(post))
        _text(entry, "title", post.title)
        _text(entry, "published", _timestamp(post.front.published))
        _text(entry, "updated", _timestamp(post.changed))
        for author in metadata.authors(post):
            _person(entry, author)
        for library in post.front.libraries:
            ET.SubElement(entry, "category", {"term": library})
        _link(entry, "alternate", "text/html", metadata.post_url(post))
        _text(entry, "summary", post.front.description)
        _text(entry, "content", post_html(metadata, post), {"type": "html"})
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(feed, encoding="unicode")}'.encode()


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
    if post.front.libraries:
        yield "tags", list(post.front.libraries)


def post_html(metadata: FeedMetadata, post: BlogPost) -> str:
    """The post's body as HTML without classes, with absolute links."""
    cleaner = nh3.Cleaner(
        tags=_TAGS,
        clean_content_tags={"legend", "script", "style"},
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        url_relative=("rewrite_with_base", metadata.post_url(post)),
        link_rel=None,
    )
    html = _CALLOUT_TITLE.sub(r"<p><strong>\1</strong></p>", _SELF_LINK.sub("", post.page.html()))
    return _NOT_XML.sub("", cleaner.clean(html))


def _timestamp(day: str) -> str:
    """Midnight UTC of the day, because posts have no time of day."""
    return f"{day}T00:00:00Z"


def _text(parent: ET.Element, tag: str, text: str, attributes: dict[str, str] | None = None) -> None:
    ET.SubElement(parent, tag, attributes or {}).text = _NOT_XML.sub("", text)


def _person(parent: ET.Element, name: str) -> None:
    _text(ET.SubElement(parent, "author"), "name", name)


def _link(parent: ET.Element, rel: str, type: str, href: str) -> None:
    ET.SubElement(parent, "link", {"rel": rel, "type": type.partition(";")[0], "href": href})
