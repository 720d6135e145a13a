"""Tests of links and pictures: READMEs of folders, files outside of the docs, Git LFS."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.inputs.docs_pages import write_docs

from kinfolk.config.catalog import load_catalog
from kinfolk.config.code_hosts import HostKind, code_host
from kinfolk.config.docs_address import DocsAddress, Ref
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.snapshots.version_docs import find_version_docs
from kinfolk.content.redirects import Redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.runtime.errors import NotFound, Refused

QUERY = Ref("TanStack/query", "main")
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345\n"
ON_HOST = "https://github.com/TanStack/query"
FILES = {
    "docs/overview.md": "# Overview",
    "docs/folder/README.md": "# The folder\n\n## Part\n",
    "docs/folder/child.md": "# The child",
    "docs/folder/deep/readme.md": "# Deep",
    "docs/both/README.md": "# A README",
    "docs/both/index.md": "# An index",
    "docs/plain/page.md": "# Page",
    "docs/logo.svg": "<svg/>",
    "docs/large.png": POINTER,
    "LICENSE": "MIT",
    "logo.svg": "<svg/>",
    "data.bin": "0",
    "src/index.ts": "export {}",
    "packages/core/README.md": "# Core",
    "examples/react/basic/package.json": "{}",
    "a folder/größe.txt": "x",
}


@pytest.fixture
def rendered(docs_from_files: Callable[[dict[str, str]], DocsSnapshot]) -> Callable[[str, str], str]:
    """Renders a page of this text at a path, and returns its HTML."""

    def render(path: str, text: str) -> str:
        docs = ContentReader(
            docs_from_files({f"TanStack/query/main/{name}": its for name, its in (FILES | {path: text}).items()})
        )
        return docs.page(docs.locate(QUERY, path.replace("README", "index"))).html

    return render


@pytest.fixture
def docs(docs_from_files: Callable[[dict[str, str]], DocsSnapshot]) -> ContentReader:
    return ContentReader(docs_from_files({f"TanStack/query/main/{name}": text for name, text in FILES.items()}))


@pytest.mark.parametrize(
    ("path", "written", "target"),
    [
        ("docs/x.md", "./folder/", "/query/latest/docs/folder"),
        ("docs/x.md", "./folder", "/query/latest/docs/folder"),
        ("docs/x.md", "folder", "/query/latest/docs/folder"),
        ("docs/x.md", "./folder/README.md", "/query/latest/docs/folder"),
        ("docs/x.md", "./folder/README", "/query/latest/docs/folder"),
        ("docs/x.md", "./folder/#part", "/query/latest/docs/folder#part"),
        ("docs/x.md", "./folder/README.md#Part", "/query/latest/docs/folder#part"),
        ("docs/x.md", "folder/deep", "/query/latest/docs/folder/deep"),
        ("docs/x.md", "folder/deep/readme.md", "/query/latest/docs/folder/deep"),
        ("docs/folder/x.md", "./README.md", "/query/latest/docs/folder"),
        ("docs/folder/x.md", "./", "/query/latest/docs/folder"),
        ("docs/folder/x.md", "../folder/", "/query/latest/docs/folder"),
        ("docs/folder/README.md", "./child.md", "/query/latest/docs/folder/child"),
        ("docs/folder/README.md", "deep/", "/query/latest/docs/folder/deep"),
        ("docs/x.md", "/query/latest/docs/folder/README.md", "/query/latest/docs/folder"),
        ("docs/x.md", "both/", "/query/latest/docs/both"),
        ("docs/x.md", "both/README.md", "/query/latest/docs/both/README"),
        ("docs/x.md", "../LICENSE", f"{ON_HOST}/blob/main/LICENSE"),
        ("docs/x.md", "../src/index.ts#L10-L20", f"{ON_HOST}/blob/main/src/index.ts#L10-L20"),
        ("docs/x.md", "../packages/core/README.md", f"{ON_HOST}/blob/main/packages/core/README.md"),
        ("docs/x.md", "../packages/core/README.md#use", f"{ON_HOST}/blob/main/packages/core/README.md#use"),
        ("docs/x.md", "../packages/core/", f"{ON_HOST}/tree/main/packages/core"),
        ("docs/x.md", "../examples/", f"{ON_HOST}/tree/main/examples"),
        ("docs/x.md", "../examples", f"{ON_HOST}/tree/main/examples"),
        ("docs/x.md", "../src", f"{ON_HOST}/tree/main/src"),
        ("docs/x.md", "plain/", f"{ON_HOST}/tree/main/docs/plain"),
        ("docs/folder/x.md", "../../LICENSE", f"{ON_HOST}/blob/main/LICENSE"),
        ("docs/x.md", "/LICENSE", f"{ON_HOST}/blob/main/LICENSE"),
        ("docs/x.md", "/docs/plain/page.md", "/query/latest/docs/plain/page"),
        ("docs/x.md", "<../a folder/größe.txt>", f"{ON_HOST}/blob/main/a%20folder/gr%C3%B6%C3%9Fe.txt"),
        ("docs/x.md", "../src/gone.ts", "/query/latest/docs/gone.ts"),
        ("docs/x.md", "../../outside", "/query/latest/docs/outside"),
    ],
)
def test_link_leads_to_the_page_else_to_the_code_host(
    rendered: Callable[[str, str], str], path: str, written: str, target: str
) -> None:
    assert f'<a href="{target}"' in rendered(path, f"[words]({written})")


@pytest.mark.parametrize(
    ("path", "file"),
    [("folder", "docs/folder/index.md"), ("folder/deep", "docs/folder/deep/index.md"), ("both", "docs/both/index.md")],
)
def test_folder_is_the_page_of_its_readme(docs: ContentReader, path: str, file: str) -> None:
    assert docs.locate_address(DocsAddress("query", "latest", path)).file == file
    assert path in find_version_docs(docs, docs.catalog.library("query"), "latest").pages()


@pytest.mark.parametrize(("path", "target"), [("folder/README", "folder"), ("folder/deep/readme", "folder/deep")])
def test_readme_redirects_to_its_folder(docs: ContentReader, path: str, target: str) -> None:
    address = DocsAddress("query", "latest", path)
    with pytest.raises(NotFound):
        docs.page(docs.locate_address(address))
    redirect = docs.redirect(address)
    assert redirect is not None
    assert redirect.to == f"/query/latest/docs/{target}"


def test_menu_has_the_page_of_a_folder_with_its_title(docs: ContentReader) -> None:
    links = {link.label: link.to for link in docs.navigation(QUERY, "docs").links()}
    assert (links["The folder"], links["Deep"], links["An index"]) == ("folder", "folder/deep", "both")


def test_menu_may_name_the_readme(docs_from_files: Callable[[dict[str, str]], DocsSnapshot]) -> None:
    menu = '{"sections": [{"label": "A", "children": [{"label": "B", "to": "folder/README"}]}]}'
    docs_snapshot = docs_from_files(
        {f"TanStack/query/main/{path}": text for path, text in (FILES | {"docs/config.json": menu}).items()}
    )
    assert [link.to for link in ContentReader(docs_snapshot).navigation(QUERY, "docs").links()] == ["folder"]


def test_edit_link_of_a_folder_names_the_readme(docs: ContentReader) -> None:
    page = docs.page(docs.locate(QUERY, "docs/folder/index.md"))
    assert page.edit_url == f"{ON_HOST}/edit/main/docs/folder/README.md"
    assert page.title == "The folder"


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("../logo.svg", "/_files/TanStack/query/main/logo.svg?v="),
        ("./logo.svg", "/_files/TanStack/query/main/docs/logo.svg?v="),
        ("https://raw.githubusercontent.com/TanStack/query/main/logo.svg", "/_files/TanStack/query/main/logo.svg?v="),
        (
            "https://raw.githubusercontent.com/TanStack/query/refs/heads/main/logo.svg",
            "/_files/TanStack/query/main/logo.svg?v=",
        ),
        ("https://github.com/TanStack/query/raw/main/logo.svg", "/_files/TanStack/query/main/logo.svg?v="),
        ("https://github.com/TanStack/query/blob/main/logo.svg?raw=true", "/_files/TanStack/query/main/logo.svg?v="),
        ("/logo.svg", "/_files/TanStack/query/main/logo.svg?v="),
        ("/docs/large.png", "https://media.githubusercontent.com/media/TanStack/query/main/docs/large.png"),
        ("/public-of-the-site.svg", "/public-of-the-site.svg"),
        ("../data.bin", "https://raw.githubusercontent.com/TanStack/query/main/data.bin"),
        (
            "https://raw.githubusercontent.com/other/repo/main/logo.svg",
            "https://raw.githubusercontent.com/other/repo/main/logo.svg",
        ),
        ("large.png", "https://media.githubusercontent.com/media/TanStack/query/main/docs/large.png"),
        ("../gone.svg", "../gone.svg"),
    ],
)
def test_picture_of_the_repository_is_shown(rendered: Callable[[str, str], str], written: str, target: str) -> None:
    assert f'<img src="{target}' in rendered("docs/x.md", f"![words]({written})")


def test_picture_in_git_lfs_without_a_code_host_has_no_address(tmp_path: Path, redirects: Redirects) -> None:
    write_docs(
        tmp_path / "repos", {"_local/widgets/main/docs/a.png": POINTER, "_local/widgets/main/docs/x.md": "![w](a.png)"}
    )
    (tmp_path / "libraries").mkdir()
    (tmp_path / "kinfolk.toml").write_text('family = "Acme"\n')
    (tmp_path / "libraries/widgets.toml").write_text('folder = ".."\n')
    catalog = load_catalog(tmp_path)
    source = DirectorySource(tmp_path / "repos", catalog.refs, "test")
    docs = ContentReader(DocsSnapshot(catalog, redirects, source.open()))
    page = docs.page(docs.locate(Ref("_local/widgets", "main"), "docs/x.md"))
    assert '<img src="" ' in page.html


def test_copy_of_a_page_keeps_the_theme_of_a_picture(
    docs_from_files: Callable[[dict[str, str]], DocsSnapshot],
) -> None:
    files = FILES | {"docs/x.md": "![a](../logo.svg#gh-dark-mode-only)"}
    docs = ContentReader(docs_from_files({f"TanStack/query/main/{path}": text for path, text in files.items()}))
    text = docs.export(docs.locate(QUERY, "docs/x.md"), origin="https://a.example").body
    assert text.startswith("![a](https://a.example/_files/TanStack/query/main/logo.svg?v=")
    assert text.endswith("#gh-dark-mode-only)")


@pytest.mark.parametrize(
    ("path", "digits", "is_served"),
    [
        ("logo.svg", 12, True),
        ("logo.svg", 40, True),
        ("logo.svg", 11, False),
        ("logo.svg", 0, False),
        ("docs/logo.svg", 0, True),
        ("src/index.ts", 0, False),
    ],
)
def test_file_outside_of_the_docs_is_served_to_those_who_know_its_content(
    docs: ContentReader, path: str, digits: int, *, is_served: bool
) -> None:
    prefix = (docs.branch(QUERY).blob(path) or "")[:digits]
    if is_served:
        assert docs.branch_with(QUERY, path, blob_prefix=prefix).ref == QUERY
    else:
        with pytest.raises(Refused):
            docs.branch_with(QUERY, path, blob_prefix=prefix)


def test_wrong_content_is_not_served(docs: ContentReader) -> None:
    with pytest.raises(Refused):
        docs.branch_with(QUERY, "logo.svg", blob_prefix="0" * 12)


@pytest.mark.parametrize(
    ("kind", "base", "url"),
    [
        ("github", None, "https://media.githubusercontent.com/media/a/b/main/c%20d.png"),
        ("github", "https://git.example", "https://git.example/a/b/raw/main/c%20d.png"),
        ("gitlab", None, "https://gitlab.com/a/b/-/raw/main/c%20d.png"),
        ("codeberg", None, "https://codeberg.org/a/b/media/branch/main/c%20d.png"),
    ],
)
def test_content_in_git_lfs_has_an_address_on_the_host(kind: HostKind, base: str | None, url: str) -> None:
    assert code_host(kind, base).media("a/b", "main", "c d.png") == url
