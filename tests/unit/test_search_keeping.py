"""The index of the site: made of its pages, renewed where they change, good again whatever happens to it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kinfolk.docs import Docs
from kinfolk.errors import Unavailable
from kinfolk.search.apart import BuildApart
from kinfolk.search.build import Watch, Words, build, groups, is_current, only_builder
from kinfolk.search.engine import TantivyIndex
from kinfolk.search.keeper import BuildHere, SiteSearch
from kinfolk.search.publication import own_copy, published
from kinfolk.search.query import Equals, Question
from kinfolk.search.rules import SearchRules, load_rules
from kinfolk.settings import Settings, environment_of, read_settings

Write = Callable[[dict[str, str]], Docs]

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
def rules(settings: Settings) -> SearchRules:
    return load_rules(settings.data)


@pytest.fixture
def words(shelved: Write, rules: SearchRules) -> Callable[..., Words]:
    def make(**changed: str | None) -> Words:
        files = {**FILES, **{name: text for name, text in changed.items() if text is not None}}
        return Words(
            shelved({name: text for name, text in files.items() if changed.get(name, "") is not None}), (), rules
        )

    return make


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "search"


@pytest.fixture
def keep(folder: Path, rules: SearchRules) -> Iterator[Callable[[Callable[[], Words]], SiteSearch]]:
    kept: list[SiteSearch] = []

    def make(words: Callable[[], Words]) -> SiteSearch:
        kept.append(SiteSearch(folder, rules, words, BuildHere(folder, words)))
        return kept[-1]

    yield make
    for one in kept:
        one.close()


def found(search: SiteSearch, text: str, *, version: str = "latest") -> list[str]:
    answer = search.index.search(Question(text, where=Equals("version", version), last_resort=False))
    return [str(hit.record["url"]) for hit in answer.hits]


def test_pages_are_found_once_there_is_an_index_and_not_before(
    words: Callable[..., Words], keep: Callable[[Callable[[], Words]], SiteSearch]
) -> None:
    now = words()
    search = keep(lambda: now)
    with pytest.raises(Unavailable, match="being prepared"):
        _ = search.index
    assert search.keep()
    assert found(search, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]
    assert found(search, "quagga") == ["/query/latest/docs/guides/zebra-stripes#as-a-quagga"]
    assert found(search, "okapi", version="v4") == ["/query/v4/docs/guides/zebra-stripes"]


def test_a_text_of_two_frameworks_is_one_record_and_leads_to_the_one_that_is_asked_for(
    words: Callable[..., Words], keep: Callable[[Callable[[], Words]], SiteSearch]
) -> None:
    now = words()
    search = keep(lambda: now)
    search.keep()
    (hit,) = search.index.search(Question("how long a gnu is kept", last_resort=False)).hits
    assert hit.record["framework"] == ["react", "vue"]
    assert found(search, "quoll caching") == ["/query/latest/docs/framework/react/guides/caching"]
    assert found(search, "vue quoll") == ["/query/latest/docs/framework/vue/guides/caching"]
    filtered = search.index.search(Question("quoll", where=Equals("framework", "vue")))
    assert [hit.record["url"] for hit in filtered.hits] == ["/query/latest/docs/framework/vue/guides/caching"]
    assert filtered.hits[0].record["url_without_anchor"] == "/query/latest/docs/framework/vue/guides/caching"


def test_only_pages_that_have_changed_are_made_again(words: Callable[..., Words], folder: Path) -> None:
    made: list[int] = []
    build(folder, words(), Watch(made.append))
    whole = len(list(groups(words())))
    changed = words(
        **{"TanStack/query/main/docs/framework/react/guides/caching.md": "# Quoll Caching\n\nFor a while.\n"}
    )
    build(folder, changed, Watch(made.append))
    build(folder, changed, Watch(made.append))
    assert made == [whole, 1]


def test_what_was_changed_added_and_taken_away_is_what_is_found(
    words: Callable[..., Words], keep: Callable[[Callable[[], Words]], SiteSearch]
) -> None:
    now = words()
    search = keep(lambda: now)
    search.keep()
    now = words(
        **{
            "TanStack/query/main/docs/guides/zebra-stripes.md": None,
            "TanStack/query/main/docs/guides/giraffes.md": "# Giraffes\n\nOnce more.\n",
            "TanStack/form/main/docs/overview.md": "# Overview\n\nAntelopes.\n",
        }
    )
    assert search.keep()
    assert found(search, "zebra stripes") == []
    assert found(search, "giraffes") == ["/query/latest/docs/guides/giraffes"]
    assert found(search, "antelopes") == ["/form/latest/docs/overview"]
    assert found(search, "wildebeest") == []


def test_a_change_that_no_page_shows_makes_nothing_anew(words: Callable[..., Words], folder: Path) -> None:
    first = build(folder, words())
    second = build(folder, words(**{"TanStack/query/main/docs/guides/notes.txt": "nothing to read"}))
    assert first.generation == second.generation
    assert first.revisions != second.revisions


def damage_nothing_named(folder: Path) -> None:
    (folder / "current.json").unlink()


def damage_no_sense(folder: Path) -> None:
    (folder / "current.json").write_text('{"generation": 5')


def damage_all_gone(folder: Path) -> None:
    shutil.rmtree(folder)


def damage_one_file_gone(folder: Path) -> None:
    next(folder.glob("*/*.term")).unlink()


def damage_cut_short(folder: Path) -> None:
    os.truncate(next(folder.glob("*/*.store")), 10)


def damage_other_bytes(folder: Path) -> None:
    path = next(folder.glob("*/*.idx"))
    path.write_bytes(b"\0" * path.stat().st_size)


def damage_meta(folder: Path) -> None:
    next(folder.glob("*/meta.json")).write_text("{}")


DAMAGE = [
    damage_nothing_named, damage_no_sense, damage_all_gone, damage_one_file_gone, damage_cut_short, damage_other_bytes,
    damage_meta,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_whatever_is_damaged_who_reads_goes_on_and_the_next_one_finds_it_whole(
    damage: Callable[[Path], None],
    words: Callable[..., Words],
    folder: Path,
    keep: Callable[[Callable[[], Words]], SiteSearch],
) -> None:
    now = words()
    reader = keep(lambda: now)
    reader.keep()
    damage(folder)
    assert found(reader, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]
    newcomer = keep(lambda: now)
    assert newcomer.keep()
    assert found(newcomer, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]
    assert reader.keep()
    assert is_current(folder, now)


def test_a_build_that_is_killed_leaves_what_was_good_and_the_next_one_tidies_up(
    words: Callable[..., Words], folder: Path, tmp_path: Path, settings: Settings
) -> None:
    now = words()
    before = build(folder, now)
    # Stops in the middle of its work, and is killed there.
    code = (
        "import sys, signal, os\n"
        "from pathlib import Path\n"
        "from kinfolk.search.publication import making\n"
        "from kinfolk.search.build import only_builder\n"
        "from kinfolk.search.engine import TantivyIndex\n"
        "from kinfolk.search.rules import load_rules\n"
        "folder, rules = Path(sys.argv[1]), load_rules(Path(sys.argv[2]))\n"
        "def records():\n"
        "    yield {'objectID': '1'}\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "with only_builder(folder), making(folder) as place:\n"
        "    TantivyIndex.create(place, rules.settings, records())\n"
    )
    killed = subprocess.Popen([sys.executable, "-c", code, folder, settings.data])
    assert killed.wait() == -signal.SIGKILL
    (folder / f"reading-{killed.pid}-x").mkdir()
    assert len(list(folder.glob("making-*"))) == 1
    assert published(folder) == before
    changed = words(**{"TanStack/form/main/docs/overview.md": "# Overview\n\nAntelopes.\n"})
    with only_builder(folder):
        after = build(folder, changed)
    assert [path.name for path in folder.iterdir() if path.is_dir()] == [after.generation]


def test_questions_asked_while_the_index_is_exchanged_are_all_answered(
    words: Callable[..., Words], keep: Callable[[Callable[[], Words]], SiteSearch]
) -> None:
    now = words()
    search = keep(lambda: now)
    search.keep()
    done = threading.Event()
    answers: list[int] = []

    def ask() -> None:
        while not done.is_set():
            answers.append(len(found(search, "zebra stripes")))

    asking = threading.Thread(target=ask)
    asking.start()
    for turn in range(4):
        now = words(**{"TanStack/form/main/docs/overview.md": f"# Overview\n\nWildebeest {turn}.\n"})
        assert search.keep()
    done.set()
    asking.join()
    assert set(answers) == {1}


def test_an_index_outlives_its_files(words: Callable[..., Words], folder: Path, rules: SearchRules) -> None:
    build(folder, words())
    with own_copy(folder) as (_, copy):
        index = TantivyIndex(copy, rules.settings)
    assert not copy.exists()
    shutil.rmtree(folder)
    assert index.search(Question("zebra stripes")).total > 0


def test_other_rules_make_another_index(
    words: Callable[..., Words], folder: Path, settings: Settings, tmp_path: Path
) -> None:
    first = build(folder, words())
    shutil.copytree(settings.data, tmp_path / "data")
    path = tmp_path / "data" / "search.toml"
    path.write_text(path.read_text().replace("one_typo_from = 4", "one_typo_from = 5"))
    other = Words(words().docs, (), load_rules(tmp_path / "data"))
    assert not is_current(folder, other)
    assert build(folder, other).form != first.form


def test_a_process_of_its_own_builds_what_this_one_then_opens(
    tmp_path: Path, shelved: Write, rules: SearchRules
) -> None:
    docs = shelved(FILES)
    settings = read_settings(
        {"KINFOLK_CONTENT": str(tmp_path / "repos"), "KINFOLK_MIRROR": "off", "KINFOLK_VAR": str(tmp_path / "var")}
    )
    words = Words(docs, (), rules)
    folder = settings.var / "search"
    search = SiteSearch(folder, rules, lambda: words, BuildApart(environment_of(settings)))
    assert search.keep()
    assert found(search, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]


def test_the_index_is_opened_in_the_background(
    words: Callable[..., Words], keep: Callable[[Callable[[], Words]], SiteSearch]
) -> None:
    now = words()
    search = keep(lambda: now)
    search.begin()
    assert search.wait(600)
    assert found(search, "zebra stripes") == ["/query/latest/docs/guides/zebra-stripes"]


def test_a_build_that_fails_is_told_and_not_taken_for_good(
    folder: Path, words: Callable[..., Words], rules: SearchRules
) -> None:
    now = words()
    search = SiteSearch(
        folder, rules, lambda: now, BuildApart({"PATH": "", "PYTHONPATH": "", "KINFOLK_DATA": "/nowhere"})
    )
    assert not search.keep()
    with pytest.raises(Unavailable):
        _ = search.index
