"""The HTML of a page for feed readers, which have neither the site's styles nor its base URL."""

from __future__ import annotations

import re

import nh3

from kinfolk.content.markdown.html.theme_pictures import for_light_theme
from kinfolk.content.markdown.render_context import SAFE_SCHEMES

_SELF_LINK = re.compile(r'<a class="anchor"[^<>]*></a>')
# The group is not possessive: Python 3.11.2, that of Debian 12, matches such groups wrongly.
_CALLOUT_TITLE = re.compile(r'<p class="callout-title">([^<]*(?:<(?!/?p\b)[^<]*)*)</p>')
_TAGS = set(
    "a b blockquote br code dd del details div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img kbd li ol p pre s "
    "strong sub summary sup table tbody td th thead tr ul".split()
)
_ATTRIBUTES = {"a": {"href"}, "img": {"src", "alt", "width", "height"}, "ol": {"start"}, "th": {"scope"}}


def feed_html(html: str, *, address: str) -> str:
    """Sanitized HTML without classes, with absolute links. `address` is the absolute address of its page."""
    cleaner = nh3.Cleaner(
        tags=_TAGS,
        clean_content_tags={"legend", "script", "style"},
        attributes=_ATTRIBUTES,
        url_schemes=set(SAFE_SCHEMES),
        url_relative=("rewrite_with_base", address),
        link_rel=None,
    )
    return cleaner.clean(_CALLOUT_TITLE.sub(r"<p><strong>\1</strong></p>", _SELF_LINK.sub("", for_light_theme(html))))
