"""Fixtures that every suite shares: the real facts and bundled docs, and small families made on the spot."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog
from hypothesis import settings as hypothesis_settings

from kinfolk.catalog import Catalog, load_catalog
from kinfolk.docs import Docs
from kinfolk.redirects import Redirects, load_redirects
from kinfolk.settings import Settings, read_settings
from kinfolk.site import family_refs
from kinfolk.sources.directory import DirectorySource

# How long a case takes says how busy the machine is, not whether it is right.
hypothesis_settings.register_profile("untimed", deadline=None)
hypothesis_settings.load_profile("untimed")


@pytest.fixture(scope="session")
def settings() -> Settings:
    """Settings as on a fresh machine, but without what someone made here: no mirror, and code stays plain."""
    return read_settings(
        {"KINFOLK_MIRROR": "off", "KINFOLK_REFRESH_S": "0", "KINFOLK_HIGHLIGHT": "off", "KINFOLK_SEARCH": "off"}
    )


@pytest.fixture(scope="session")
def catalog(settings: Settings) -> Catalog:
    return load_catalog(settings.data)


@pytest.fixture(scope="session")
def redirects(settings: Settings) -> Redirects:
    return load_redirects(settings.data)


@pytest.fixture(scope="session")
def bundled(settings: Settings, catalog: Catalog, redirects: Redirects) -> Docs:
    """The docs that ship with the project."""
    return Docs(catalog, redirects, DirectorySource(settings.content, family_refs(catalog), "bundled").open())


@pytest.fixture
def shelved(tmp_path: Path, catalog: Catalog, redirects: Redirects) -> Callable[[dict[str, str]], Docs]:
    """Docs made of the given files: {"TanStack/query/main/docs/overview.md": "..."}."""

    def make(files: dict[str, str]) -> Docs:
        root = tmp_path / "repos"
        shutil.rmtree(root, ignore_errors=True)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Docs(catalog, redirects, DirectorySource(root, family_refs(catalog), "made here").open())

    return make


@pytest.fixture(autouse=True)
def quiet_log() -> None:
    """Tests that care for the log capture it themselves."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))


@pytest.fixture(scope="session")
def built(settings: Settings) -> Path:
    """The built frontend. `make test` builds it first."""
    if not (settings.frontend / "ssr" / "ssr.js").exists():
        pytest.fail("The frontend is not built: run `make build`")
    return settings.frontend


@pytest.fixture(scope="session")
def fonts(built: Path) -> Path:
    """The fonts that pictures are drawn with: the build takes them from their package."""
    return built / "fonts"


SECOND_TRY = ("browser", "processes")
"""Folders whose tests get a second try: they depend on how a browser or several processes are scheduled."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folder = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(folder) and item.path.relative_to(folder).parts[0] in SECOND_TRY:
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List what needed its second try, so that its cause is found."""
    tried_again = {report.nodeid for report in terminalreporter.stats.get("rerun", [])}
    if tried_again:
        terminalreporter.section("flaky: these tests needed a second try")
        for name in sorted(tried_again):
            terminalreporter.write_line(name)
