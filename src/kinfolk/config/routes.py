"""The table of routes: which pages the site has, and how the server treats each.

    match = match_route("/query/latest/docs/overview")
    match.route.pattern, match.params["_splat"]      # "/$library/$version/docs/$", "overview"

Each row is a route of the frontend, in the notation of `frontend/src/routes`: `$name` is one path segment, `$` is the
rest of the path (parameter `_splat`). A test compares the rows with the frontend's route tree. Every other statement
about pages is derived from this table: `page_addresses` (which addresses name a page), `ssr.page_key` (query
parameters), `ssr.rendered_page` (Vary, cache lifetime, framing), `web.prefetch_hints`, the sitemap, and the link check.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

from kinfolk.config.docs_address import routed_path
from kinfolk.runtime.cache import EMBED, Lifetime

Existence = Literal[
    "always",
    "blog",
    "statistics",
    "library",
    "releases",
    "release",
    "changes",
    "difference",
    "preview",
    "version",
    "framework",
    "example",
    "docs_page",
    "post",
    "comparison",
    "site_page",
    "accounts",
    "upgrade",
    "never",
]
"""What must exist for an address of a route to name a page: `blog` any post, `statistics` packages to compare,
`accounts` that readers can have one, `upgrade` a library with packages."""
Hint = Literal["docs.config", "docs.page"]
"""An API function whose data the server fetches before it renders the page."""

ACCEPT_ENCODING = "accept-encoding"
MARKDOWN = "accept-encoding, accept"
"""Vary of addresses that return Markdown for `Accept: text/markdown`, or are below such an address."""
SPLAT = "_splat"
ARRIVAL = ("from",)
"""The query parameter of pages that show where a redirect led from."""


@dataclass(frozen=True)
class PageRoute:
    """A row. `query` names the parameters that the HTML depends on; all others are dropped.

    A page with such a parameter is not for search engines, unless its canonical address has it (`indexed_query`). A
    parameter whose encoded value is longer than `max_value` is dropped, too. Without `lifetime` a page is cached as
    long as the data that it shows allows.
    """

    pattern: str
    exists: Existence = "always"
    query: tuple[str, ...] = ()
    max_value: int = 512
    vary: str = ACCEPT_ENCODING
    lifetime: Lifetime | None = None
    frame_ancestors: str = "'none'"
    prefetch: tuple[Hint, ...] = ()
    in_sitemap: bool = False
    indexed_query: bool = False

    @cached_property
    def expression(self) -> re.Pattern[str]:
        segments = (_expression_of(segment) for segment in self.pattern.split("/")[1:])
        return re.compile("/" + "/".join(segments))

    @property
    def literals(self) -> Iterator[tuple[int, str]]:
        """Segments without parameters, with their positions."""
        for position, segment in enumerate(self.pattern.split("/")[1:]):
            if not segment.startswith("$"):
                yield position, segment


def _docs_page(pattern: str) -> PageRoute:
    return PageRoute(
        pattern,
        exists="docs_page",
        query=ARRIVAL,
        vary=MARKDOWN,
        prefetch=("docs.config", "docs.page"),
        in_sitemap=True,
    )


_VERSION = "/$library/$version"
_DOCS = f"{_VERSION}/docs"
_FRAMEWORK = f"{_DOCS}/framework/$framework"

COMPARISON_QUERY = (
    "packageGroups",
    "range",
    "baseline",
    "transform",
    "facetX",
    "facetY",
    "binningOption",
    "height",
    "binType",
    "showDataMode",
    "showBaseline",
    "normalizeBaseline",
    "measure",
    "align",
    "scale",
    "fix",
    "mirrors",
)
"""Query parameters of a comparison: those of the specification, the later ones of the public site, and our own."""
COMPARISON_VALUE = 4000
"""Characters of the groups of a comparison of 32 packages, percent-encoded."""

UPGRADE_VALUE = 4000
"""Characters of the packages of a project, percent-encoded."""

DASHBOARD = (
    "/dashboard",
    "/dashboard/account",
    "/dashboard/activity",
    "/dashboard/code",
    "/dashboard/content",
    "/dashboard/deliveries",
    "/dashboard/feedback",
    "/dashboard/links",
    "/dashboard/promotions",
    "/dashboard/searches",
    "/dashboard/statistics",
)
"""Pages that are the same for all readers: scripts fill them in."""

ROUTES = (
    PageRoute("/", in_sitemap=True),
    PageRoute("/blog", exists="blog", query=("library", "author", "tag"), in_sitemap=True),
    PageRoute("/blog/$", exists="post", query=ARRIVAL, vary=MARKDOWN, in_sitemap=True),
    *(PageRoute(pattern, exists="accounts") for pattern in DASHBOARD),
    PageRoute("/design"),
    PageRoute("/feedback", exists="accounts", query=("error",)),
    PageRoute("/login", exists="accounts", query=("error", "next"), max_value=1024),
    PageRoute("/login/code", exists="accounts", query=("error",)),
    PageRoute("/login/confirm", exists="accounts", query=("error",)),
    PageRoute("/search", query=("q", "library", "framework", "version", "page")),
    PageRoute("/sponsors-embed", lifetime=EMBED, frame_ancestors="*"),
    PageRoute("/stats", exists="never"),
    PageRoute(
        "/stats/npm",
        exists="statistics",
        query=COMPARISON_QUERY,
        max_value=COMPARISON_VALUE,
        in_sitemap=True,
        indexed_query=True,
    ),
    PageRoute(
        "/stats/npm/embed",
        exists="statistics",
        query=COMPARISON_QUERY,
        max_value=COMPARISON_VALUE,
        frame_ancestors="*",
    ),
    PageRoute(
        "/stats/npm/$",
        exists="comparison",
        query=COMPARISON_QUERY,
        max_value=COMPARISON_VALUE,
        indexed_query=True,
    ),
    PageRoute(
        "/upgrade",
        exists="upgrade",
        query=("packages", "error", "line"),
        max_value=UPGRADE_VALUE,
        in_sitemap=True,
    ),
    PageRoute("/pr/$library/$number", exists="preview"),
    PageRoute("/$library", exists="library"),
    PageRoute("/$library/releases", exists="releases", query=("release", "older", "newer")),
    PageRoute("/$library/releases/$number", exists="release", in_sitemap=True),
    PageRoute("/$library/changes/$range", exists="changes"),
    PageRoute("/$library/changes/$range/$", exists="difference"),
    PageRoute(_VERSION, exists="version", query=ARRIVAL, in_sitemap=True),
    PageRoute(_DOCS, exists="version", vary=MARKDOWN),
    PageRoute(f"{_DOCS}/examples", exists="version", query=ARRIVAL, vary=MARKDOWN, in_sitemap=True),
    PageRoute(f"{_DOCS}/framework", exists="version", query=ARRIVAL, vary=MARKDOWN),
    PageRoute(_FRAMEWORK, exists="framework", query=ARRIVAL, vary=MARKDOWN),
    PageRoute(f"{_FRAMEWORK}/examples", exists="framework", query=ARRIVAL, vary=MARKDOWN),
    PageRoute(f"{_FRAMEWORK}/examples/$name", exists="example", query=("path", "panel", *ARRIVAL), in_sitemap=True),
    _docs_page(f"{_FRAMEWORK}/$"),
    _docs_page(f"{_DOCS}/$"),
    PageRoute(f"{_VERSION}/$", exists="never"),
    PageRoute("/$", exists="site_page", in_sitemap=True),
)
"""Of several rows that match, the first counts."""

SITE_PAGE = ROUTES[-1]
"""The route of the site's own pages. Their addresses match rows of libraries, too: only the catalog separates them."""

BLOG, STATISTICS, SIGN_IN, SAVED, UPGRADE = OPTIONAL_PARTS = "/blog", "/stats/npm", "/login", "/dashboard", "/upgrade"
"""Pages that only some sites have. Menus leave out links to those that a site does not have."""

MATCHED_PATHS = 128
"""Paths whose routes stay in memory: a request for a page matches its path ten times."""

MISSING = PageRoute("", exists="never")
"""Every address without a row."""


@dataclass(frozen=True)
class RouteMatch:
    """The route of a path, and the values of its parameters."""

    route: PageRoute
    params: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=MATCHED_PATHS)
def match_route(path: str) -> RouteMatch:
    """The first row that matches a path; MISSING where none does."""
    path = routed_path(path)
    for route in ROUTES:
        if found := route.expression.fullmatch(path):
            return RouteMatch(route, found.groupdict())
    return RouteMatch(MISSING)


def match_site_route(path: str, libraries: Container[str]) -> RouteMatch:
    """The row that matches a path on a site with these libraries: other addresses name pages of the site itself."""
    found = match_route(path)
    if found.params.get("library", "") in libraries or "library" not in found.params:
        return found
    return RouteMatch(SITE_PAGE, {SPLAT: path[1:]})


def reserved_segments(libraries: Iterable[str]) -> Mapping[str, str]:
    """The first segments of addresses that belong to no page of the site, each with what has it."""
    engine = literal_segments()[0] | _SERVER_SEGMENTS
    return dict.fromkeys(engine, "an address of the engine") | {id: f"the library {id}" for id in libraries}


_SERVER_SEGMENTS = frozenset({"1", "api", "auth", "mcp", "og"})
"""First segments of addresses that are no pages and that a page could have."""


def literal_segments() -> Mapping[int, frozenset[str]]:
    """The segments without parameters that routes have at each position."""
    found: dict[int, set[str]] = {}
    for route in ROUTES:
        for position, segment in route.literals:
            found.setdefault(position, set()).add(segment)
    return {position: frozenset(segments) for position, segments in found.items()}


SERVER_RESOURCE = re.compile(
    r"/(?:api/md/.*|robots\.txt|sitemap[^/]*\.xml|(?:[^/]+/){0,2}llms(?:-full)?\.txt|(?:[^/]+/){1,2}docs\.zip"
    r"|[^/]+/[^/]+/docs/(?!framework/[^/]+/examples/).+\.(?:md|atom)|[^/]+/(?:changes|release-changes|releases|code-checks)\.atom"
    r"|blog/[^/]+\.md|stats/npm\.(?:svg|png|csv|json|atom)|blog/feed\.(?:xml|json)|_(?:files|examples)/.*|og/.*|opensearch\.xml|site\.webmanifest)"
)
"""Addresses that the server itself answers: texts for machines, files, pictures."""


def _expression_of(segment: str) -> str:
    if segment == "$":
        return f"(?P<{SPLAT}>.+)"
    return f"(?P<{segment[1:]}>[^/]+)" if segment.startswith("$") else re.escape(segment)
