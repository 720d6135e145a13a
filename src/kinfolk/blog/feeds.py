"""The blog for those who subscribe to it: Atom (RFC 4287) and JSON Feed 1.1, every post with its whole text.

A feed reader has neither our styles nor our address, so texts are reduced to plain HTML with whole links.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import nh3

from kinfolk.blog.post import Post

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
# XML 1.0 cannot hold these, not even escaped.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Channel:
    """What a feed says of itself. `origin` is the site's public address; `product` speaks where nobody is named."""

    title: str
    description: str
    origin: str
    product: str

    def address(self, post: Post) -> str:
        return f"{self.origin}/blog/{post.slug}"

    def picture(self, post: Post) -> str:
        image = post.front.image
        if image is None:
            return f"{self.origin}/og/blog/{post.slug}.png"
        return image if image.startswith("https://") else self.origin + image

    def authors(self, post: Post) -> tuple[str, ...]:
        return post.front.authors or (self.product,)


def atom(channel: Channel, posts: Sequence[Post]) -> bytes:
    """The posts as Atom, newest first."""
    feed = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    _text(feed, "id", f"{channel.origin}/blog")
    _text(feed, "title", channel.title)
    _text(feed, "subtitle", channel.description)
    _text(feed, "updated", _moment(max((post.changed for post in posts), default="1970-01-01")))
    _person(feed, channel.product)
    _link(feed, "self", ATOM_TYPE, channel.origin + ATOM_PATH)
    _link(feed, "alternate", "text/html", f"{channel.origin}/blog")
    _text(feed, "generator", "Kinfolk")
    for post in posts:
        entry = ET.SubElement(feed, "entry")
        _text(entry, "id", channel.address(post))
        _text(entry, "title", post.title)
        _text(entry, "published", _moment(post.front.published))
        _text(entry, "updated", _moment(post.changed))
        for author in channel.authors(post):
            _person(entry, author)
        for library in post.front.libraries:
            ET.SubElement(entry, "category", {"term": library})
        _link(entry, "alternate", "text/html", channel.address(post))
        _text(entry, "summary", post.front.description)
        _text(entry, "content", whole_text(channel, post), {"type": "html"})
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(feed, encoding="unicode")}'.encode()


def json_feed(channel: Channel, posts: Sequence[Post]) -> bytes:
    """The posts as JSON Feed, newest first."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": channel.title,
        "home_page_url": f"{channel.origin}/blog",
        "feed_url": channel.origin + JSON_PATH,
        "description": channel.description,
        "language": "en",
        "authors": [{"name": channel.product}],
        "items": [dict(_item(channel, post)) for post in posts],
    }
    return json.dumps(feed, ensure_ascii=False, indent=1).encode(errors="replace")


def _item(channel: Channel, post: Post) -> Iterator[tuple[str, object]]:
    yield "id", channel.address(post)
    yield "url", channel.address(post)
    yield "title", post.title
    yield "summary", post.front.description
    yield "content_html", whole_text(channel, post)
    yield "image", channel.picture(post)
    yield "date_published", _moment(post.front.published)
    yield "date_modified", _moment(post.changed)
    yield "authors", [{"name": author} for author in channel.authors(post)]
    if post.front.libraries:
        yield "tags", list(post.front.libraries)


def whole_text(channel: Channel, post: Post) -> str:
    """The post's body in HTML that needs no style, its links whole."""
    cleaner = nh3.Cleaner(
        tags=_TAGS,
        clean_content_tags={"legend", "script", "style"},
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        url_relative=("rewrite_with_base", channel.address(post)),
        link_rel=None,
    )
    html = _CALLOUT_TITLE.sub(r"<p><strong>\1</strong></p>", _SELF_LINK.sub("", post.page.html()))
    return _NOT_XML.sub("", cleaner.clean(html))


def _moment(day: str) -> str:
    """A day as the moment it begins, in UTC: a post has no time of day."""
    return f"{day}T00:00:00Z"


def _text(parent: ET.Element, tag: str, text: str, attributes: dict[str, str] | None = None) -> None:
    ET.SubElement(parent, tag, attributes or {}).text = _NOT_XML.sub("", text)


def _person(parent: ET.Element, name: str) -> None:
    _text(ET.SubElement(parent, "author"), "name", name)


def _link(parent: ET.Element, rel: str, type: str, href: str) -> None:
    ET.SubElement(parent, "link", {"rel": rel, "type": type.partition(";")[0], "href": href})
