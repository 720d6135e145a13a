"""What a page will ask for, told from its address: answered before it is asked, it saves the first round.

This repeats what the routes of the frontend say. Where the two differ a page takes a round more and is the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from kinfolk.catalog import Catalog
from kinfolk.ssr.outcome import Need
from kinfolk.ssr.renderer import Foresee

SHELL = Need.foreseen("site.shell", None)
"""Every page has the frame of the site."""


def foresee(catalog: Catalog) -> Foresee:
    """The shell; of a docs page also the navigation and the page itself."""
    libraries = {library.id: library for library in catalog.libraries}

    def needs(url: str) -> Iterable[Need]:
        yield SHELL
        match unquote(url.partition("?")[0]).split("/", 4):
            case ["", id, version, "docs", inside] if _is_page(inside) and id in libraries:
                library = libraries[id]
                if library.is_known_version(version):
                    repo, branch = library.ref(version)
                    config = {"repo": repo, "branch": branch, "docsRoot": library.docs_root}
                    page = {"repo": repo, "branch": branch, "filePath": f"{library.docs_root}/{inside}.md"}
                    yield Need.foreseen("docs.config", config)
                    yield Need.foreseen("docs.page", {**page, "version": version})

    return needs


def _is_page(inside: str) -> bool:
    """Not an address that leads elsewhere, nor one below which the examples are."""
    match inside.split("/"):
        case ["framework" | "examples"] | ["framework", _] | ["framework", _, "examples", *_]:
            return False
        case [*_, last]:
            return bool(last) and not last.endswith(".md")
        case _:
            return False
