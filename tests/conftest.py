"""Fixtures of all suites: the catalog of the sample site, the bundled docs, and docs made of given files."""

from __future__ import annotations

import fcntl
import gc
import importlib.util
import os
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import settings as hypothesis_settings
from tests.inputs.docs_pages import write_docs
from tests.sites.sample_site import SITE, read_settings
from tests.suite.temporary_folders import use_memory

from kinfolk.config.catalog import Catalog, load_catalog
from kinfolk.config.settings import Settings
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.redirects import Redirects, load_redirects
from kinfolk.content.sources.directory import DirectorySource

pytest_plugins = ["tests.servers.databases", "tests.servers.shared_browser"]

use_memory()
# To the end of `pytest_collection`: what it creates stays. The garbage collector took a tenth of its CPU time.
gc.disable()
# Processes of tests serve the sample site.
os.environ["KINFOLK_SITE"] = str(SITE)
# No process of a test requests counts from npm or GitHub. Tests of importers name a stand-in.
os.environ["KINFOLK_NPM_IMPORT"] = "off"
# A check of all docs takes a core for seconds. Tests of the check start it.
os.environ["KINFOLK_LINK_CHECK"] = "off"
os.environ["KINFOLK_FIGURES"] = "off"
os.environ["KINFOLK_RELEASE_NOTES"] = "off"
# The bundled docs take three seconds of a core in each server.
os.environ["KINFOLK_PRERENDER"] = "off"
# The only trusted certificate of tests and of processes that they start. Each HTTP client loads all trusted ones, which
# takes 20 ms of CPU for those of the public web. Tests connect to the loopback interface only.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).parent / "samples" / "certificate.pem")
# httpx imports sniffio for each request, if it is installed. To find that it is not takes 0.3 ms.
if importlib.util.find_spec("sniffio") is None:
    sys.modules["sniffio"] = None  # type: ignore[assignment]

# The duration of a case depends on the load of the machine.
hypothesis_settings.register_profile("untimed", deadline=None)
hypothesis_settings.load_profile("untimed")


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Default settings without a mirror, highlighting or search, so that files of this checkout have no effect."""
    return read_settings(
        {
            "KINFOLK_MIRROR": "off",
            "KINFOLK_REFRESH_S": "0",
            "KINFOLK_HIGHLIGHT": "off",
            "KINFOLK_SEARCH": "off",
            # An isolate takes 50 ms to start, and the requests of a test come one after another.
            "KINFOLK_RENDERERS": "1",
            "KINFOLK_NPM_IMPORT": "off",
            "KINFOLK_LINK_CHECK": "off",
            "KINFOLK_FIGURES": "off",
            "KINFOLK_RELEASE_NOTES": "off",
            "KINFOLK_PRERENDER": "off",
            "KINFOLK_VAR": str(tmp_path_factory.mktemp("var")),
        }
    )


@pytest.fixture(scope="session")
def catalog(settings: Settings) -> Catalog:
    return load_catalog(settings.site)


@pytest.fixture(scope="session")
def redirects(settings: Settings) -> Redirects:
    return load_redirects(settings.site)


@pytest.fixture(scope="session")
def bundled(settings: Settings, catalog: Catalog, redirects: Redirects) -> DocsSnapshot:
    """The docs that are part of the project."""
    return DocsSnapshot(catalog, redirects, DirectorySource(settings.content, catalog.refs, "bundled").open())


@pytest.fixture
def docs_from_files(tmp_path: Path, catalog: Catalog, redirects: Redirects) -> Callable[[dict[str, str]], DocsSnapshot]:
    """A docs snapshot made of the given files: {"TanStack/query/main/docs/overview.md": "..."}."""

    def make(files: dict[str, str]) -> DocsSnapshot:
        root = tmp_path / "repos"
        shutil.rmtree(root, ignore_errors=True)
        write_docs(root, files)
        return DocsSnapshot(catalog, redirects, DirectorySource(root, catalog.refs, "test docs").open())

    return make


@pytest.fixture(autouse=True)
def quiet_log() -> None:
    """Silence the log. Tests of the log configure structlog themselves."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))


@pytest.fixture(scope="session")
def built(settings: Settings) -> Path:
    """The built frontend, which `make test` builds first."""
    if not (settings.frontend / "ssr" / "ssr.js").exists():
        pytest.fail("The frontend is not built: run `make build`")
    return settings.frontend


@pytest.fixture(scope="session")
def fonts(built: Path) -> Path:
    """The fonts of share images, which the build copies from their package."""
    return built / "fonts"


def pytest_xdist_auto_num_workers() -> int:
    """Number of workers for `-n auto`: one for each core. More take more CPU time, four for two cores 5 % of it."""
    return os.cpu_count() or 1


RERUN_FOLDERS = ("browser", "processes")
"""Folders whose failed tests run a second time: they depend on the scheduling of a browser or of several processes."""


COVERAGE_FOLDERS = ("unit", "http")
"""Folders whose tests count for coverage. Tests of other folders run most code in processes of their own."""


def is_traced(item: pytest.Item, suite: str) -> bool:
    """Whether a test counts for coverage. Tracing makes it slower by half.

    Fuzz tests repeat the same code, as do the later cases of a test and the run with PostgreSQL after the one with
    SQLite. Tests of linear time measure CPU time; those of patterns run code of the tests only. Long tests of code that
    others cover have the mark `no_cover` in their files: 61 of 58,000 steps between lines are covered by them alone.
    """
    return (
        suite in COVERAGE_FOLDERS
        and not item.path.stem.endswith(("_fuzz", "_linear_patterns", "_complexity"))
        and "linear_time" not in item.name
        and "[postgresql" not in item.name
        and item.get_closest_marker("fuzz") is None
        and not is_later_case(item)
    )


def is_later_case(item: pytest.Item) -> bool:
    """Whether an item is another case of a parametrized test than the first two of each parameter."""
    call = getattr(item, "callspec", None)
    return call is not None and any(index > 1 for index in call.indices.values())


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Prepare a worker: it sends fewer events, and stops the first of the two measurements that pytest-cov starts.

    pytest-cov 7.1 pauses only the second one for tests marked with `no_cover`.
    """
    if not hasattr(session.config, "workerinput"):
        return
    send_fewer_events(session.config)
    plugin = session.config.pluginmanager.get_plugin("_cov")
    if plugin is not None and plugin.cov_controller is not None:
        plugin.cov_controller.cov.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None]:
    measure_coverage(item.config, measured=item.get_closest_marker("no_cover") is None)
    return (yield)


def measure_coverage(config: pytest.Config, *, measured: bool) -> None:
    """Start or stop the measurement of coverage before a test, its fixtures included.

    pytest-cov stops it for the call of a test marked with `no_cover` only, and then traces pytest and pytest-xdist. It
    continues from one measured test to the next: threads that exist when it starts are not traced.
    """
    plugin = config.pluginmanager.get_plugin("_cov")
    controller = None if plugin is None else plugin.cov_controller
    if controller is None or controller.started == measured:
        return
    # What pytest-cov calls before and after the call of a test.
    controller.pause = controller.resume = do_nothing
    controller.started = measured
    if measured:
        controller.cov.start()
    else:
        controller.cov.stop()


def do_nothing() -> None:
    pass


REPORTED_S = 0.05
"""Seconds from which a worker reports a fixture that passed."""


def send_fewer_events(config: pytest.Config) -> None:
    """Let this worker send two messages for a test that passes, its report and its end, instead of six.

    A message takes 0.7 ms of CPU in both processes, because execnet serializes in Python. Those of the start and the
    end have no effect here, nor do reports of fixtures that passed in a short time: the time of a setup is added to
    that of the test. Keywords are for the selection of tests, which is over.
    """
    interactor = next(plugin for plugin in config.pluginmanager.get_plugins() if hasattr(plugin, "sendevent"))
    send = interactor.sendevent
    setup_s = 0.0

    def send_needed(name: str, **event: Any) -> None:
        nonlocal setup_s
        if name in ("logstart", "logfinish"):
            return
        if name == "testreport" and event["data"]["outcome"] == "passed":
            report = event["data"]
            if report["when"] != "call" and report["duration"] < REPORTED_S:
                setup_s = report["duration"]
                return
            report["keywords"] = {}
            if report["when"] == "call":
                report["duration"] += setup_s
        setup_s = 0.0
        send(name, **event)

    interactor.sendevent = send_needed


FIRST_FOLDERS = ("browser", "pictures")
"""Folders whose files run first: they are long, and a process keeps its browser from one to the next."""


def suite_of(item: pytest.Item) -> str:
    """The folder of a test in this one; the name of its file, if there is none."""
    folder = Path(__file__).parent
    return item.path.relative_to(folder).parts[0] if item.path.is_relative_to(folder) else ""


def order_files(items: list[pytest.Item]) -> None:
    """Put browser tests first, and spread the files of `processes`, which wait half of their time, among the rest."""
    files = defaultdict[Path, list[pytest.Item]](list)
    for item in items:
        files[item.path].append(item)
    suites = {path: suite_of(tests[0]) for path, tests in files.items()}
    waiting = [path for path in files if suites[path] == "processes"]
    others = [path for path in files if suites[path] not in (*FIRST_FOLDERS, "processes")]
    places = {path: index / len(group) for group in (waiting, others) for index, path in enumerate(group)}

    def place(path: Path) -> tuple[int, float]:
        return FIRST_FOLDERS.index(suites[path]) if suites[path] in FIRST_FOLDERS else 2, places.get(path, 0)

    items[:] = [item for path in sorted(files, key=place) for item in files[path]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order_files(items)
    for item in items:
        suite = suite_of(item)
        if suite in RERUN_FOLDERS:
            item.add_marker(pytest.mark.flaky(reruns=1))
        if not is_traced(item, suite):
            item.add_marker(pytest.mark.no_cover)


GC_THRESHOLD = 50_000
"""New objects before a collection; Python's own is 700."""


def pytest_collection_finish() -> None:
    """Exempt what exists before the first test from garbage collection: thousands of tests, and all imported modules.

    A full collection takes 0.15 s with them. With the thresholds of Python, collections took 5 % of the CPU time of the
    unit tests, to free little: a test leaves few cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect in one worker before the others: pytest then rewrites the assertions of each file once.

    In a fresh checkout, that takes half of the CPU time of a collection.
    """
    worker: dict[str, str] | None = getattr(session.config, "workerinput", None)
    if worker is None:
        try:
            return (yield)
        finally:
            gc.enable()
    lock = Path(tempfile.gettempdir()) / f"kinfolk-collection-{worker['testrunuid']}"
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_SH)
        try:
            return (yield)
        finally:
            gc.enable()
            lock.unlink(missing_ok=True)


SLOWEST_FILES = 10


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    list_second_runs(terminalreporter)
    list_slowest_files(terminalreporter)


def list_slowest_files(terminalreporter: pytest.TerminalReporter) -> None:
    """List the files whose tests and fixtures took longest, and the time of each suite."""
    files, folders, counts = defaultdict[str, float](float), defaultdict[str, float](float), Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                file = report.nodeid.partition("::")[0]
                folder = "/".join(file.split("/")[:2])
                files[file] += report.duration
                folders[folder] += report.duration
                counts[folder] += report.when == "call"
    if counts.total() > 1:
        terminalreporter.section("seconds of the test processes")
        for folder, seconds in sorted(folders.items(), key=lambda item: -item[1]):
            terminalreporter.write_line(f"{seconds:7.1f} s  {folder}: {counts[folder]} tests")
        for file, seconds in sorted(files.items(), key=lambda item: -item[1])[:SLOWEST_FILES]:
            terminalreporter.write_line(f"{seconds:7.1f} s  {file}")


def list_second_runs(terminalreporter: pytest.TerminalReporter) -> None:
    """List the tests that passed at the second run only, with their first failures, so that their causes are fixed."""
    reruns: list[pytest.TestReport] = terminalreporter.stats.get("rerun", [])
    if reruns:
        terminalreporter.section("flaky: these tests ran a second time")
        for report in sorted(reruns, key=lambda report: report.nodeid):
            terminalreporter.write_line(f"{report.nodeid}\n{report.longreprtext}")
