"""Fuzz tests of repository content: an invalid file affects only itself. FUZZ_CASES sets the number of cases."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pygit2
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.config.settings import Settings
from kinfolk.content.blog import read_posts
from kinfolk.content.docs import ContentReader, DocsConfig, DocsSnapshot, parse_config
from kinfolk.content.docs.machine_readable.llms_txt import version_full_text, version_llms_txt
from kinfolk.content.docs.machine_readable.sitemap import version_sitemap
from kinfolk.content.docs.snapshots.docs_snippets import docs_snippets
from kinfolk.content.docs.snapshots.version_docs import find_version_docs
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.content.sources.git.git_tree import GitTree, ObjectStore
from kinfolk.content.sources.snapshot import Snapshot, Tree
from kinfolk.runtime.errors import InvalidFile
from kinfolk.search.docs_index.index_build import SearchableContent, groups
from kinfolk.search.ranking_config import RankingConfig, load_ranking_config

pytestmark = pytest.mark.fuzz

CASES = int(os.environ.get("FUZZ_CASES", "200"))
MAIN = Ref("TanStack/query", "main")
CONFIG = b'{"sections": [{"label": "Start", "children": [{"label": "Overview", "to": "overview"}]}]}'
GOOD_PAGE = b"---\ntitle: Good\n---\n\nGood words.\n"
ODD_PAGE = b"---\ntitle: Odd\n---\n\nOdd words.\n"

keys = st.sampled_from(["sections", "label", "children", "frameworks", "to", "badge", "users", "collapsible", "x"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=400),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(keys, inner, max_size=6),
    max_leaves=40,
)
links = st.lists(
    st.fixed_dictionaries({"label": st.text(), "to": st.text()}, optional={"badge": st.text()}), max_size=5
)
configs = st.fixed_dictionaries(
    {
        "sections": st.lists(
            st.fixed_dictionaries(
                {"label": st.text()},
                optional={
                    "children": links | values,
                    "frameworks": st.lists(st.fixed_dictionaries({"label": st.text(), "children": links})) | values,
                },
            ),
            max_size=4,
        )
    },
    optional={"users": values},
)
wide = st.builds(
    lambda opening, closing, depth, inner: opening * depth + inner + closing * depth,
    *(st.sampled_from(["[", '{"sections":', '{"sections":[', '{"x":']), st.sampled_from(["]", "}", "]}", ""])),
    st.integers(0, 5000),
    st.sampled_from(["", "1", "null", '"x"', "1e999", "-"]),
)
documents = (
    st.builds(lambda value: json.dumps(value).encode(), configs | values)
    | st.builds(lambda text: text.encode(), wide)
    | st.binary(max_size=200)
)


@hypothesis_settings(max_examples=CASES)
@given(content=documents)
def test_any_navigation_is_read_or_refused(content: bytes) -> None:
    file = "docs/config.json"
    config: DocsConfig | InvalidFile
    try:
        config = parse_config(file, content)
    except InvalidFile as refused:
        config = refused
    assert config.file == file if isinstance(config, InvalidFile) else all(link.to for link in config.links())


# Names

_ODD = "\u00a0\u200b\u202e\u2028\ufeff\n\r\t\x07\x7f\\:*?\"<>|#%&;^ .-_aB日é\U0001f600'`$!@,=+~(){}[]"
parts = st.one_of(
    st.text(_ODD, min_size=1, max_size=12).map(str.encode),
    st.binary(min_size=1, max_size=12),
    st.sampled_from(
        [b"..", b".", b".git", b".GIT", b"index", b"examples", b"framework", b"x" * 250, b"con", b"\xed\xa0\x80"]
    ),
    st.text(max_size=8).map(lambda text: text.encode(errors="surrogatepass")),
)
names = st.lists(parts, min_size=1, max_size=3).map(b"/".join).filter(lambda name: b"\0" not in name)


ReadAll = Callable[[Snapshot], set[str]]


@pytest.fixture(scope="module")
def read_all(settings: Settings, catalog: Catalog, redirects: Redirects) -> ReadAll:
    """Read all pages in every way: sitemap, both llms.txt files, search records, code to highlight."""
    rules = load_ranking_config(settings.site)
    return lambda snapshot: _read_all(DocsSnapshot(catalog, redirects, snapshot), rules)


def _read_all(docs: DocsSnapshot, rules: RankingConfig) -> set[str]:
    one = find_version_docs(ContentReader(docs), docs.catalog.library("query"), "latest")
    texts = [version_sitemap(one, ""), version_llms_txt(one, ""), *version_full_text(one, "")]
    records = [record for group in groups(SearchableContent(docs, (), rules)) for record in group.make()]
    for _, snippets in docs_snippets(docs):
        list(snippets)
    assert "/query/latest/docs/overview<" in texts[0]
    assert any("Good words." in text for text in texts[2:])
    return {str(record["url"]) for record in records}


def put(folder: Path, name: bytes, content: bytes) -> None:
    """Write a file, if the file system accepts its name."""
    path = folder / os.fsdecode(name)
    if ".." in path.parts or folder not in path.parents:
        return
    with suppress(OSError):  # the name is too long, or a parent is a file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@hypothesis_settings(max_examples=CASES)
@given(odd=st.lists(names, max_size=4))
def test_invalid_name_in_a_directory_affects_only_its_file(read_all: ReadAll, odd: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as root:
        docs = Path(root, "TanStack/query/main/docs")
        docs.mkdir(parents=True)
        for name in odd:
            put(docs, name + b".md", ODD_PAGE)
        put(docs, b"config.json", CONFIG)
        put(docs, b"overview.md", GOOD_PAGE)
        source = DirectorySource(Path(root), [MAIN], "made here")
        assert "/query/latest/docs/overview" in read_all(source.open())


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> pygit2.Repository:
    return pygit2.init_repository(tmp_path_factory.mktemp("git"), bare=True)


def tree_of(repository: pygit2.Repository, entries: dict[bytes, tuple[bytes, pygit2.Oid]]) -> pygit2.Oid:
    """A git tree with names that git's own commands refuse to write."""
    rows = (mode + b" " + name + b"\0" + id.raw for name, (mode, id) in entries.items())
    return repository.odb.write(pygit2.enums.ObjectType.TREE, b"".join(rows))


@hypothesis_settings(max_examples=CASES)
@given(odd=st.lists(parts.filter(lambda name: b"\0" not in name), max_size=4), folder=parts)
def test_invalid_name_in_a_git_tree_affects_only_its_file(
    repository: pygit2.Repository, read_all: ReadAll, odd: list[bytes], folder: bytes
) -> None:
    page = repository.create_blob(ODD_PAGE)
    inner = {name + b".md": (b"100644", page) for name in odd}
    docs_folder = {
        **inner,
        folder.replace(b"\0", b"") or b"x": (b"40000", tree_of(repository, inner)),
        b"config.json": (b"100644", repository.create_blob(CONFIG)),
        b"overview.md": (b"100644", repository.create_blob(GOOD_PAGE)),
    }
    root = tree_of(repository, {b"docs": (b"40000", tree_of(repository, docs_folder))})
    who = pygit2.Signature("T", "t@example.org", 0, 0)
    commit = repository.create_commit(None, who, who, "x", root, [])
    trees: dict[Ref, Tree] = {MAIN: GitTree(MAIN, str(commit), ObjectStore(Path(repository.path)))}
    assert "/query/latest/docs/overview" in read_all(Snapshot(trees))


# Posts

front_matters = st.dictionaries(
    st.sampled_from(["title", "description", "published", "authors", "libraries", "updated", "image", "draft", "x"]),
    values | st.sampled_from(["2026-11-21", ["query"], ["Ada"], "true"]),
)


@hypothesis_settings(max_examples=CASES)
@given(front=front_matters.map(json.dumps) | st.text(max_size=200), body=st.text(max_size=100))
def test_any_post_is_read_or_refused(front: str, body: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = f"---\n{front}\n---\n\n{body}"
        Path(folder, "post.md").write_text(text, encoding="utf-8", errors="replace")
        posts, faults = read_posts(Path(folder), ["query"])
        assert len(posts) == (0 if faults else 1)
