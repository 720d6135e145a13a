"""The elements of HTML: which are shown, as what, and with which attributes."""

from __future__ import annotations

from collections.abc import Mapping

VOID = frozenset(("br", "col", "hr", "img", "source", "track", "wbr"))
"""Shown elements without an end tag."""
_PLAIN = frozenset(
    """a abbr b blockquote br caption cite code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li
    mark ol p picture pre q s samp small source span strong sub summary sup table tbody td tfoot th thead tr u ul var
    wbr""".split()
)
RARE = frozenset("audio bdi bdo col colgroup data figcaption figure rp rt ruby time track video".split())
"""Shown elements whose names are words of prose as well: a lone `<time>` is text."""
TAGS = _PLAIN | RARE

SHOWN_AS: Mapping[str, str] = {
    # The title of the page is its only first-level heading.
    "h1": "h2",
    "acronym": "abbr",
    "dir": "ul",
    "menu": "ul",
    "rb": "span",
    "rtc": "span",
    "strike": "s",
    "tt": "code",
    # Landmarks and controls of the author would stand among those of the page.
    **dict.fromkeys(
        "address article aside center dialog fieldset footer header hgroup main nav search section".split(), "div"
    ),
    **dict.fromkeys("big blink font label marquee nobr output".split(), "span"),
}
"""Elements that are shown as another one."""

_DROPPED = frozenset(
    """applet area base basefont bgsound body button canvas datalist embed form frame frameset head html iframe image
    input isindex keygen legend link listing map math menuitem meta meter noembed noframes noscript object optgroup
    option param plaintext portal progress script select slot style svg template textarea title xmp""".split()
)
NAMES = TAGS | SHOWN_AS.keys() | _DROPPED
"""Every element of the HTML standard, the obsolete ones included."""
_DROPPED_VOID = frozenset("area base basefont bgsound embed frame image input isindex keygen link meta param".split())
EMPTY = VOID | _DROPPED_VOID
"""Every element without an end tag."""
OPTIONAL_END = frozenset(("option", "optgroup", "rb", "rp", "rt", "rtc"))
"""Elements, besides those of `TAGS` that are no words of prose, whose end tag may be left out."""

ATTRIBUTES: Mapping[str, frozenset[str]] = {
    "a": frozenset(("title",)),
    "abbr": frozenset(("title",)),
    "audio": frozenset(("loop", "muted")),
    "col": frozenset(("align", "span")),
    "colgroup": frozenset(("align", "span")),
    "data": frozenset(("value",)),
    "details": frozenset(("open",)),
    "img": frozenset(("alt", "width", "height", "title", "align")),
    "ol": frozenset(("start", "reversed")),
    "source": frozenset(("media", "type", "sizes", "width", "height")),
    "td": frozenset(("align", "colspan", "rowspan")),
    "th": frozenset(("align", "colspan", "rowspan", "scope")),
    "time": frozenset(("datetime",)),
    "track": frozenset(("kind", "label", "srclang", "default")),
    "video": frozenset(("width", "height", "loop", "muted", "playsinline")),
} | {tag: frozenset(("align",)) for tag in ("p", "div", "h1", "h2", "h3", "h4", "h5", "h6")}
"""Attributes that are kept as written, by element. `dir` and `lang` are kept on each."""
DIRECTIONS = ("ltr", "rtl", "auto")
