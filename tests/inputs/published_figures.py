"""What each page of a site states about a library's content: for tests that compare them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kinfolk.api.all_functions import registry
from kinfolk.api.registry import Call
from kinfolk.config.catalog import LATEST
from kinfolk.site.site import Site


async def _data(call: Call, function: str, request: dict[str, Any] | None = None) -> Any:
    answer = await registry.call(function, request, call)
    assert hasattr(answer, "data"), (function, request, answer)
    return answer.data


async def disagreements(site: Site) -> list[str]:
    """Figures of two pages that differ: landing page, menu, list of examples, list of versions, home page."""
    found: list[str] = []
    totals: Counter[str] = Counter()
    frameworks: set[str] = set()

    def compare(name: str, **stated: object) -> None:
        if len({repr(value) for value in stated.values()}) > 1:
            found.append(f"{name}: {stated}")

    call = Call.begin(site)
    for library in site.catalog.libraries:
        page = await _data(call, "catalog.library", {"id": library.id})
        if page.figures is None:
            continue
        for version in (LATEST, *library.version_names):
            if call.docs.find_branch(library.ref(version)) is None:
                continue
            landing = await _data(call, "catalog.library", {"id": library.id, "version": version})
            branch = library.ref(version).branch
            root = {"repo": library.repo, "branch": branch, "docsRoot": library.docs_root}
            config = await _data(call, "docs.config", root)
            examples = await _data(call, "example.list", {"library": library.id, "version": version})
            name = f"{library.id} {version}"
            compare(f"{name} frameworks", landing=landing.frameworks, menu=config.frameworks)
            compare(f"{name} count of frameworks", landing=landing.figures.frameworks, list=len(config.frameworks))
            compare(f"{name} examples", landing=landing.figures.examples, list=examples.total)
            compare(f"{name} examples by framework", all=examples.total, sum=sum(c.examples for c in examples.counts))
            if version != LATEST:
                totals.update(pages=landing.figures.pages, examples=landing.figures.examples, versions=1)
                frameworks.update(landing.frameworks)
        published = await _data(call, "docs.framework", {"library": library.id})
        # The latest version is listed by its name, too.
        compare(f"{library.id} versions", landing=page.figures.versions, list=len(published) - 1)
    home = (await _data(call, "home.page")).figures
    for figure in ("pages", "examples", "versions"):
        compare(f"home {figure}", home=getattr(home, figure), sum=totals[figure])
    compare("home frameworks", home=home.frameworks, sum=len(frameworks))
    return found
