"""The final sanitizer: an HTML parser that keeps only these tags and attributes.

`raw_html` rebuilds the author's tags before this step; `RenderContext.fill` inserts code and iframes after it.
"""

from __future__ import annotations

from functools import cache

import nh3

from kinfolk.content.markdown.directives import CONTAINER_CLASSES
from kinfolk.content.markdown.html.elements import ATTRIBUTES, TAGS

_RENDERER_TAGS = frozenset(("fieldset", "input", "label", "legend", "section"))
_CLASSES = {
    "a": {"anchor"},
    "details": {"api-fold", "callout"},
    "div": {"api-head", "api-name", "api-row", "callout", "framework-block", "math", "tab-panel", "table-scroll"}
    | set(CONTAINER_CLASSES),
    "fieldset": {"tabs"},
    "figure": {"code", "mermaid"},
    "h2": {"sr-only"},
    "input": {"task-list-item-checkbox"},
    "legend": {"sr-only"},
    "li": {"task-list-item"},
    "ol": {"contains-task-list"},
    "p": {"api-label", "callout-title"},
    "section": {"framework-panel"},
    "summary": {"callout-title"},
    "span": {"api-badge", "api-kind", "api-source", "embed"},
    "table": {"api-table"},
    "td": {"align-left", "align-center", "align-right"},
    "th": {"align-left", "align-center", "align-right"},
    "tr": {"api-nested"},
    "ul": {"contains-task-list", "resources"},
}
_ATTRIBUTES = {
    "a": {"href", "rel", "role", "title", "aria-hidden", "aria-label", "tabindex"},
    "details": {"open"},
    "div": {"role", "aria-label", "tabindex", "align"},
    "audio": {"src", "controls", "preload"},
    "img": {"src", "loading", "decoding"},
    "input": {"type", "name", "checked", "disabled", "aria-label"},
    "label": {"for"},
    "ol": {"start"},
    "section": {"role", "aria-label"},
    "source": {"src", "srcset"},
    "th": {"scope"},
    "track": {"src"},
    "video": {"src", "controls", "poster", "preload"},
}


@cache
def _cleaner(schemes: frozenset[str]) -> nh3.Cleaner:
    attributes = {tag: set(allowed) for tag, allowed in ATTRIBUTES.items()}
    for tag, added in _ATTRIBUTES.items():
        attributes[tag] = attributes.get(tag, set()) | added
    return nh3.Cleaner(
        tags=set(TAGS | _RENDERER_TAGS),
        attributes={**attributes, "*": {"dir", "id", "lang"}},
        allowed_classes=_CLASSES,
        generic_attribute_prefixes={"data-"},
        url_schemes=set(schemes),
        link_rel=None,
    )


def sanitize(html: str, schemes: frozenset[str]) -> str:
    """The fragment, well-formed and with allowed tags, attributes, classes and schemes of addresses only."""
    return _cleaner(schemes).clean(html)
