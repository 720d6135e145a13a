"""Pages that differ from others only in words of their address, without a render for each.

Crawlers request any number of addresses that nothing resembles, and of comparisons of unknown packages. One page is
rendered for an address of placeholders, and the words are put in their place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from urllib.parse import quote_plus

from kinfolk.config.catalog import Catalog
from kinfolk.config.routes import SPLAT, RouteMatch
from kinfolk.content.docs.other_pages.nearest_page import similar_names
from kinfolk.rendering.rendered_page import RenderedPage, fill_page
from kinfolk.statistics.package_name import SEPARATOR, names_in_path

_FIRST, _LAST = "kinfolk-missing-library", "kinfolk-missing-page"
"""Placeholders of the first and the last segment of an address."""
COMPARISON = "/stats/npm/$"
"""The route of comparisons."""
RELEASE = "/$library/releases/$number"
"""The route of a release."""
_PACKAGE = "kinfolk-unknown-package"
_PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
"""Names of packages that are written in the same way in HTML, JSON and addresses."""
_SEPARATORS = re.compile(r"[\W_]+")
_MAX_WORDS = 60
"""As in `frontend/src/lib/missingPage.ts`, which has the same words."""


@dataclass(frozen=True)
class TemplatedPage:
    """A page made of another one. `template` is the address of that page, `status` the expected status of both.

    `words` are replaced in the HTML, `names` are the names of content in tags.
    """

    template: str
    status: int
    words: Mapping[str, str]
    names: Mapping[str, str]

    def fill(self, template: RenderedPage) -> RenderedPage | None:
        """The page. None if the template has another status."""
        if template.status != self.status:
            return None
        return fill_page(template, self.words, frozenset(map(self._tag, template.tags)))

    def _tag(self, tag: str) -> str:
        kind, _, name = tag.partition(":")
        return f"{kind}:{self.names[name]}" if name in self.names else tag


def missing_page(template: str, path: str) -> TemplatedPage:
    """The 404 page of a decoded path."""
    segments = path.split("/")[1:]
    found = _words(segments[-1])
    words = {
        escape(_words(_LAST)): escape(found),
        quote_plus(_words(_LAST)): quote_plus(found),
        _FIRST: escape(segments[0]),
    }
    # The names are those of the pages of the site that the address could be of.
    return TemplatedPage(template, 404, words, {template[1:]: path[1:], _FIRST: segments[0]})


def unknown_comparison(
    match: RouteMatch, query: str, *, is_unknown: Callable[[tuple[str, ...]], bool]
) -> TemplatedPage | None:
    """The comparison at an address without a query, if all of its packages are unknown. Blocks as `is_unknown` does."""
    if match.route.pattern != COMPARISON or query:
        return None
    path = match.params[SPLAT]
    packages = names_in_path(path)
    if path != SEPARATOR.join(packages) or not all(map(_PLAIN_NAME.fullmatch, packages)) or not is_unknown(packages):
        return None
    # Two digits: no placeholder begins another one.
    words = {f"{_PACKAGE}-{at:02}": name for at, name in enumerate(packages)}
    return TemplatedPage(f"/stats/npm/{SEPARATOR.join(words)}", 200, words, words)


class MissingPages:
    """Finds addresses whose 404 pages can be made of a template."""

    def __init__(self, catalog: Catalog, has_page: Callable[[str], bool]) -> None:
        """`has_page` says whether the site has a page of its own with a name."""
        self._libraries = {library.id: library for library in catalog.libraries}
        self._has_page = has_page

    def page(self, path: str, match: RouteMatch) -> TemplatedPage | None:
        """The 404 page of a decoded path without a page. None if that page suggests others."""
        segments = path.split("/")[1:]
        first = segments[0]
        if not _words(segments[-1]):
            return None
        if match.route.pattern == "/$library/$version/$":
            library = self._libraries[match.params["library"]]
            if library.is_known_version(match.params["version"]):
                return missing_page(f"/{library.id}/{match.params['version']}/{_LAST}", path)
        elif match.route.pattern == RELEASE:
            return missing_page(f"/{match.params['library']}/releases/{_LAST}", path)
        elif match.route.pattern == "/$" and not similar_names(first, list(self._libraries)):
            if len(segments) == 1:
                return missing_page(f"/{_LAST}", path)
            if not self._has_page(first):
                return missing_page(f"/{_FIRST}/{_LAST}", path)
        return None


def _words(segment: str) -> str:
    words = filter(None, _SEPARATORS.split(segment))
    return " ".join(words)[:_MAX_WORDS].strip()
