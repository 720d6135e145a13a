"""The search index of the docs: built from pages, updated with changes, rebuilt after damage."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tests.servers.kinfolk_process import ForkedProcess
from tests.sites.sample_site import SITE, read_settings

from kinfolk.config.settings import Settings, environment_of
from kinfolk.content.docs import DocsSnapshot
from kinfolk.content.docs.snapshots.version_docs import VersionDocs
from kinfolk.content.pages.prose_pages import ProsePages
from kinfolk.runtime.errors import Unavailable
from kinfolk.search.docs_index.generations import CURRENT, index_folder, own_copy, published
from kinfolk.search.docs_index.index_build import (
    BuildProgress,
    SearchableContent,
    build,
    groups,
    is_current,
    only_builder,
)
from kinfolk.search.docs_index.index_updater import OTHERS_S, IndexUpdater, InProcessBuilder
from kinfolk.search.docs_index.meanings import Meanings
from kinfolk.search.docs_index.subprocess_builder import SubprocessBuilder
from kinfolk.search.engine.tantivy_index import TantivyIndex
from kinfolk.search.filters import Equals
from kinfolk.search.query import SearchQuery
from kinfolk.search.ranking_config import RankingConfig, load_ranking_config

Write = Callable[[dict[str, str]], DocsSnapshot]
MakeContent = Callable[..., SearchableContent]
MakeUpdater = Callable[[Callable[[], SearchableContent]], IndexUpdater]

REF = "---\nref: docs/framework/react/guides/caching.md\n---\n"
FILES = {
    "TanStack/query/main/docs/config.json": json.dumps(
        {"sections": [{"label": "Guides", "children": [{"label": "Keys", "to": "guides/zebra-stripes"}]}]}
    ),
    "TanStack/query/main/docs/guides/zebra-stripes.md": "# Zebra Stripes\n\nStripes.\n\n## As a quagga\n\nAlways.\n",
    "TanStack/query/main/docs/framework/react/guides/caching.md": "# Quoll Caching\n\nHow long a gnu is kept.\n",
    "TanStack/query/main/docs/framework/vue/guides/caching.md": REF,
    "TanStack/query/v4/docs/guides/zebra-stripes.md": "# Zebra Stripes\n\nOlder okapi.\n",
    "TanStack/form/main/docs/overview.md": "# Overview\n\nWildebeest.\n",
}


@pytest.fixture(scope="session")
def ranking(settings: Settings) -> RankingConfig:
    return load_ranking_config(settings.site)


@pytest.fixture
def make_content(docs_from_files: Write, ranking: RankingConfig) -> MakeContent:
    def make(**changed: str | None) -> SearchableContent:
        files = {**FILES, **{name: text for name, text in changed.items() if text is not None}}
        return SearchableContent(
            docs_from_files({name: text for name, text in files.items() if changed.get(name, "") is not None}),
            (),
            ranking,
        )

    return make


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "search"


@pytest.fixture
def make_updater(folder: Path, ranking: RankingConfig) -> Iterator[MakeUpdater]:
    updaters: list[IndexUpdater] = []

    def make(current: Callable[[], SearchableContent]) -> IndexUpdater:
        updaters.append(IndexUpdater(folder, ranking, current, InProcessBuilder(folder, current)))
        return updaters[-1]

    yield make
    for one in updaters:
        one.close()


def search_urls(search: IndexUpdater, text: str, *, version: str = "latest") -> list[str]:
    answer = search.index.search(SearchQuery(text, where=Equals("version", version), remove_words_if_no_results=False))
    return [str(hit.record["url"]) for hit in answer.hits]


def test_pages_are_found_after_the_first_build(make_content: MakeContent, make_updater: MakeUpdater) -> None:
    content = make_content()
    search = make_updater(lambda: content)
    with pytest.raises(Unavailable, match="starting up"):
        _ = search.index
    assert search.try_update()
    assert search_urls(search, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]
    assert search_urls(search, "quagga") == ["/query/latest/docs/guides/zebra-stripes#as-a-quagga"]
    assert search_urls(search, "okapi", version="v4") == ["/query/v4/docs/guides/zebra-stripes"]


def test_shared_text_links_to_the_requested_framework(make_content: MakeContent, make_updater: MakeUpdater) -> None:
    content = make_content()
    search = make_updater(lambda: content)
    search.try_update()
    (hit,) = search.index.search(SearchQuery("how long a gnu is kept", remove_words_if_no_results=False)).hits
    assert hit.record["framework"] == ["react", "vue"]
    assert search_urls(search, "quoll caching") == ["/query/latest/docs/framework/react/guides/caching"]
    assert search_urls(search, "vue quoll") == ["/query/latest/docs/framework/vue/guides/caching"]
    filtered = search.index.search(SearchQuery("quoll", where=Equals("framework", "vue")))
    assert [hit.record["url"] for hit in filtered.hits] == ["/query/latest/docs/framework/vue/guides/caching"]
    assert filtered.hits[0].record["url_without_anchor"] == "/query/latest/docs/framework/vue/guides/caching"


def test_index_of_other_code_is_searched_and_not_replaced_during_a_deploy(
    make_content: MakeContent, folder: Path, ranking: RankingConfig
) -> None:
    now_s = 0.0
    older, newer = make_content(), replace(make_content(), meanings=Meanings(SITE))
    assert older.form != newer.form
    search = IndexUpdater(folder, ranking, lambda: older, InProcessBuilder(folder, lambda: older), clock=lambda: now_s)
    assert search.try_update()
    build(folder, newer)
    assert search.try_update()
    assert is_current(folder, newer)
    assert search_urls(search, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]
    now_s += OTHERS_S - 1
    search.try_update()
    assert is_current(folder, newer)
    # The other server has ended.
    now_s += 2
    search.try_update()
    assert is_current(folder, older)


def test_indexes_of_other_schemas_stay_until_they_are_unused(tmp_path: Path, make_content: MakeContent) -> None:
    folder = index_folder(tmp_path)
    used, building, unused = (folder.with_name(f"schema-{name}") for name in ("used", "building", "unused"))
    for other in (used, building, unused):
        other.mkdir(parents=True)
    for other in (used, unused):
        (other / CURRENT).write_text("{}")
        os.utime(other, (0, 0))
    os.utime(unused / CURRENT, (0, 0))
    build(folder, make_content())
    assert used.exists()
    assert building.exists()
    assert not unused.exists()


def test_only_changed_pages_are_indexed_again(make_content: MakeContent, folder: Path) -> None:
    made: list[int] = []
    build(folder, make_content(), BuildProgress(made.append))
    whole = len(list(groups(make_content())))
    changed = make_content(
        **{"TanStack/query/main/docs/framework/react/guides/caching.md": "# Quoll Caching\n\nFor a while.\n"}
    )
    build(folder, changed, BuildProgress(made.append))
    build(folder, changed, BuildProgress(made.append))
    assert made == [whole, 1]


def test_changed_added_and_deleted_pages_are_updated(make_content: MakeContent, make_updater: MakeUpdater) -> None:
    content = make_content()
    search = make_updater(lambda: content)
    search.try_update()
    content = make_content(
        **{
            "TanStack/query/main/docs/guides/zebra-stripes.md": None,
            "TanStack/query/main/docs/guides/giraffes.md": "# Giraffes\n\nOnce more.\n",
            "TanStack/form/main/docs/overview.md": "# Overview\n\nAntelopes.\n",
        }
    )
    assert search.try_update()
    assert search_urls(search, "zebra stripes") == []
    assert search_urls(search, "giraffes") == ["/query/latest/docs/guides/giraffes"]
    assert search_urls(search, "antelopes") == ["/form/latest/docs/overview"]
    assert search_urls(search, "wildebeest") == []


def test_docs_of_unchanged_branches_stay_without_being_read(
    make_content: MakeContent, make_updater: MakeUpdater, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = make_content()
    search = make_updater(lambda: content)
    search.try_update()
    content = make_content(**{"TanStack/form/main/docs/overview.md": "# Overview\n\nAntelopes.\n"})
    listed: list[str] = []
    list_pages = VersionDocs.listed_pages

    def noted(docs: VersionDocs) -> Mapping[str, str]:
        listed.append(docs.library.id)
        return list_pages(docs)

    monkeypatch.setattr(VersionDocs, "listed_pages", noted)
    assert search.try_update()
    assert set(listed) == {"form"}
    assert search_urls(search, "antelopes") == ["/form/latest/docs/overview"]
    assert search_urls(search, "quagga") == ["/query/latest/docs/guides/zebra-stripes#as-a-quagga"]
    assert search_urls(search, "okapi", version="v4") == ["/query/v4/docs/guides/zebra-stripes"]


def test_pages_of_a_branch_that_is_gone_are_not_found(make_content: MakeContent, make_updater: MakeUpdater) -> None:
    content = make_content()
    search = make_updater(lambda: content)
    search.try_update()
    content = make_content(**{"TanStack/query/v4/docs/guides/zebra-stripes.md": None})
    assert search.try_update()
    assert search_urls(search, "okapi", version="v4") == []
    assert search_urls(search, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]


def test_changed_page_of_the_site_is_updated(
    make_content: MakeContent, ranking: RankingConfig, make_updater: MakeUpdater, tmp_path: Path
) -> None:
    docs = make_content().docs
    folder = tmp_path / "pages"
    folder.mkdir()
    file = folder / "support.md"
    front = "---\ntitle: Help\ndescription: Where to write.\n---\n"
    file.write_text(f"{front}## Aardvarks\n\nFirst.\n")
    pages = ProsePages(folder, {})
    search = make_updater(lambda: SearchableContent(docs, (), ranking, tuple(pages.valid_pages)))
    search.try_update()
    assert search_urls(search, "aardvarks") == ["/support#aardvarks"]
    assert search_urls(search, "support")[0] == "/support"
    file.write_text(f"{front}## Pangolins\n\nThen another.\n")
    search.try_update()
    assert search_urls(search, "aardvarks") == []
    assert search_urls(search, "pangolins") == ["/support#pangolins"]
    file.unlink()
    search.try_update()
    assert search_urls(search, "pangolins") == []


def test_change_outside_pages_rebuilds_nothing(make_content: MakeContent, folder: Path) -> None:
    first = build(folder, make_content())
    second = build(folder, make_content(**{"TanStack/query/main/docs/guides/notes.txt": "nothing to read"}))
    assert first.generation == second.generation
    assert first.revisions != second.revisions


def delete_current_generation(folder: Path) -> None:
    (folder / "current.json").unlink()


def truncate_current_generation(folder: Path) -> None:
    (folder / "current.json").write_text('{"generation": 5')


def delete_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def delete_one_file(folder: Path) -> None:
    next(folder.glob("*/*.term")).unlink()


def truncate_file(folder: Path) -> None:
    os.truncate(next(folder.glob("*/*.store")), 10)


def overwrite_with_zeros(folder: Path) -> None:
    path = next(folder.glob("*/*.idx"))
    path.write_bytes(b"\0" * path.stat().st_size)


def overwrite_metadata(folder: Path) -> None:
    next(folder.glob("*/meta.json")).write_text("{}")


DAMAGES = [
    delete_current_generation,
    truncate_current_generation,
    delete_folder,
    delete_one_file,
    truncate_file,
    overwrite_with_zeros,
    overwrite_metadata,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_do_not_affect_readers_and_are_rebuilt(
    damage: Callable[[Path], None],
    make_content: MakeContent,
    folder: Path,
    make_updater: MakeUpdater,
) -> None:
    content = make_content()
    reader = make_updater(lambda: content)
    reader.try_update()
    damage(folder)
    assert search_urls(reader, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]
    other = make_updater(lambda: content)
    assert other.try_update()
    assert search_urls(other, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]
    assert reader.try_update()
    assert is_current(folder, content)


def test_killed_build_keeps_generation_and_is_cleaned_up(
    make_content: MakeContent, folder: Path, tmp_path: Path, settings: Settings
) -> None:
    content = make_content()
    before = build(folder, content)
    # This build is killed after its first record.
    code = (
        "import sys, signal, os\n"
        "from pathlib import Path\n"
        "from kinfolk.search.docs_index.generations import build_folder\n"
        "from kinfolk.search.docs_index.index_build import only_builder\n"
        "from kinfolk.search.engine.tantivy_index import TantivyIndex\n"
        "from kinfolk.search.ranking_config import load_ranking_config\n"
        "folder, ranking = Path(sys.argv[1]), load_ranking_config(Path(sys.argv[2]))\n"
        "def records():\n"
        "    yield {'objectID': '1'}\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "with only_builder(folder), build_folder(folder) as place:\n"
        "    TantivyIndex.create(place, ranking.settings, records())\n"
    )
    killed = ForkedProcess.of_code(code, tmp_path, str(folder), str(settings.site))
    assert killed.wait(60) == -signal.SIGKILL
    (folder / f"reading-{killed.pid}-x").mkdir()
    assert len(list(folder.glob("making-*"))) == 1
    assert published(folder) == before
    changed = make_content(**{"TanStack/form/main/docs/overview.md": "# Overview\n\nAntelopes.\n"})
    with only_builder(folder):
        after = build(folder, changed)
    assert [path.name for path in folder.iterdir() if path.is_dir()] == [after.generation]


@pytest.mark.no_cover
def test_searches_succeed_while_the_index_is_replaced(make_content: MakeContent, make_updater: MakeUpdater) -> None:
    content = make_content()
    search = make_updater(lambda: content)
    search.try_update()
    done = threading.Event()
    answers: list[int] = []

    def search_repeatedly() -> None:
        while not done.is_set():
            answers.append(len(search_urls(search, "zebra stripes")))

    thread = threading.Thread(target=search_repeatedly)
    thread.start()
    for turn in range(4):
        content = make_content(**{"TanStack/form/main/docs/overview.md": f"# Overview\n\nWildebeest {turn}.\n"})
        assert search.try_update()
    done.set()
    thread.join()
    assert set(answers) == {1}


def test_open_index_survives_deletion_of_its_files(
    make_content: MakeContent, folder: Path, ranking: RankingConfig
) -> None:
    build(folder, make_content())
    with own_copy(folder) as (_, copy):
        index = TantivyIndex(copy, ranking.settings)
    assert not copy.exists()
    shutil.rmtree(folder)
    assert index.search(SearchQuery("zebra stripes")).total > 0


def test_changed_ranking_config_rebuilds_the_index(
    make_content: MakeContent, folder: Path, settings: Settings, tmp_path: Path
) -> None:
    first = build(folder, make_content())
    shutil.copytree(settings.site, tmp_path / "data")
    path = tmp_path / "data" / "search.toml"
    path.write_text(path.read_text().replace("[index]", "[index]\none_typo_from = 5"))
    other = SearchableContent(make_content().docs, (), load_ranking_config(tmp_path / "data"))
    assert not is_current(folder, other)
    assert build(folder, other).form != first.form


def test_subprocess_build_is_opened_by_this_process(
    tmp_path: Path, docs_from_files: Write, ranking: RankingConfig
) -> None:
    docs = docs_from_files(FILES)
    settings = read_settings(
        {"KINFOLK_CONTENT": str(tmp_path / "repos"), "KINFOLK_MIRROR": "off", "KINFOLK_VAR": str(tmp_path / "var")}
    )
    content = SearchableContent(docs, (), ranking)
    folder = index_folder(settings.var)
    search = IndexUpdater(folder, ranking, lambda: content, SubprocessBuilder(environment_of(settings)))
    assert search.try_update()
    assert search_urls(search, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]


def test_index_is_opened_in_the_background(make_content: MakeContent, make_updater: MakeUpdater) -> None:
    content = make_content()
    search = make_updater(lambda: content)
    search.start()
    assert search.wait(600)
    assert search_urls(search, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]


def test_failed_build_is_reported(folder: Path, make_content: MakeContent, ranking: RankingConfig) -> None:
    content = make_content()
    search = IndexUpdater(
        folder, ranking, lambda: content, SubprocessBuilder({"PATH": "", "PYTHONPATH": "", "KINFOLK_SITE": "/nowhere"})
    )
    assert not search.try_update()
    with pytest.raises(Unavailable):
        _ = search.index
