"""Prefetch hints: the queries of a page that its address determines. Prefetched data saves a round of rendering.

A hint that does not match the query of the route's loader costs one more round; the page stays the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from kinfolk.config.catalog import Catalog
from kinfolk.config.routes import SPLAT, Hint, match_route
from kinfolk.rendering.render_outcome import PendingQuery
from kinfolk.rendering.v8_renderer import PrefetchHints

SHELL = PendingQuery.of("site.shell", None)
"""All pages show the site shell."""


def prefetch_hints(catalog: Catalog) -> PrefetchHints:
    """A function from addresses to hints: the shell, and what the table of routes names for a known version."""
    libraries = {library.id: library for library in catalog.libraries}

    def hints(url: str) -> Iterable[PendingQuery]:
        yield SHELL
        match = match_route(unquote(url.partition("?")[0]))
        if not match.route.prefetch or match.params[SPLAT].endswith((".md", "/")):
            return
        library, version = libraries.get(match.params["library"]), match.params["version"]
        if library is None or not library.is_known_version(version):
            return
        facts = library.docs_facts(version)
        ref = facts.ref
        if library.releases.table.version(version) is not None:
            yield PendingQuery.of("releases.find", {"library": library.id, "number": version})
        framework = f"framework/{match.params['framework']}/" if "framework" in match.params else ""
        file = f"{facts.docs_root}/{framework}{match.params[SPLAT]}.md"
        data: dict[Hint, dict[str, str]] = {
            "docs.config": {"repo": ref.repo, "branch": ref.branch, "docsRoot": facts.docs_root},
            "docs.page": {"repo": ref.repo, "branch": ref.branch, "filePath": file, "version": version},
        }
        for id in match.route.prefetch:
            yield PendingQuery.of(id, data[id])

    return hints
