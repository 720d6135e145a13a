"""404 pages of addresses that nothing resembles, without a render for each.

Crawlers request any number of such addresses. The pages for them differ only in words of the address: one page is
rendered for an address of placeholders (`MissingAddress.template`), and the words are put in their place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from urllib.parse import quote_plus

from kinfolk.config.catalog import Catalog
from kinfolk.config.routes import RouteMatch
from kinfolk.content.docs.other_pages.nearest_page import similar_names
from kinfolk.rendering.rendered_page import RenderedPage, fill_page

_FIRST, _LAST = "kinfolk-missing-library", "kinfolk-missing-page"
"""Placeholders of the first and the last segment of an address."""
_SEPARATORS = re.compile(r"[\W_]+")
_MAX_WORDS = 60
"""As in `frontend/src/lib/missingPage.ts`, which has the same words."""


@dataclass(frozen=True)
class MissingAddress:
    """An address whose 404 page can be made of a template. `template` is the address of that page."""

    template: str
    path: str

    def fill(self, template: RenderedPage) -> RenderedPage | None:
        """The page of this address. None if the template is not what this class expects."""
        segments = self.path.split("/")[1:]
        words = _words(segments[-1])
        replacements = {
            escape(_words(_LAST)): escape(words),
            quote_plus(_words(_LAST)): quote_plus(words),
            _FIRST: escape(segments[0]),
        }
        # Those of the pages of the site that the address could name.
        names = {self.template[1:]: self.path[1:], _FIRST: segments[0]}
        tags = frozenset(_replace_name(tag, names) for tag in template.tags)
        return fill_page(template, replacements, tags)


class MissingPages:
    """Finds addresses whose 404 pages can be made of a template."""

    def __init__(self, catalog: Catalog, has_page: Callable[[str], bool]) -> None:
        """`has_page` says whether the site has a page of its own with a name."""
        self._libraries = {library.id: library for library in catalog.libraries}
        self._has_page = has_page

    def address(self, path: str, match: RouteMatch) -> MissingAddress | None:
        """The missing address at a decoded path without a page. None if its 404 page suggests others."""
        segments = path.split("/")[1:]
        first = segments[0]
        if not _words(segments[-1]):
            return None
        if match.route.pattern == "/$library/$version/$":
            library = self._libraries[match.params["library"]]
            if library.is_known_version(match.params["version"]):
                return MissingAddress(f"/{library.id}/{match.params['version']}/{_LAST}", path)
        elif match.route.pattern == "/$" and not similar_names(first, list(self._libraries)):
            if len(segments) == 1:
                return MissingAddress(f"/{_LAST}", path)
            if not self._has_page(first):
                return MissingAddress(f"/{_FIRST}/{_LAST}", path)
        return None


def _replace_name(tag: str, names: Mapping[str, str]) -> str:
    kind, _, name = tag.partition(":")
    return f"{kind}:{names[name]}" if name in names else tag


def _words(segment: str) -> str:
    words = filter(None, _SEPARATORS.split(segment))
    return " ".join(words)[:_MAX_WORDS].strip()
