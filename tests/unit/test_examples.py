"""Examples: which file opens first, what a file is, and what the zip holds."""

from __future__ import annotations

import io
import subprocess
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kinfolk.catalog import Catalog
from kinfolk.docs import Docs
from kinfolk.errors import NotFound
from kinfolk.examples import Example, example_at, listing, markup, source_of
from kinfolk.examples.ahead import sections
from kinfolk.examples.archive import digest, zipped
from kinfolk.examples.editors import links, sandbox
from kinfolk.examples.example import in_order, title_of
from kinfolk.examples.file import LARGEST_COLOURED, LARGEST_SHOWN, Kind
from kinfolk.examples.languages import language_of
from kinfolk.examples.preview import LINES, preview_of
from kinfolk.examples.start import first_file, main_file
from kinfolk.markdown.page import Snippet
from kinfolk.sources.snapshot import Ref, Tree
from kinfolk.sources.tree import GitTree, Objects

Shelved = Callable[[dict[str, str]], Docs]
QUERY = Ref("TanStack/query", "main")


def example_of(docs: Docs, framework: str = "react", name: str = "basic", library: str = "query") -> Example:
    known = docs.catalog.library(library)
    shelf = docs.shelf(Ref(known.repo, known.latest_branch))
    return example_at(known, shelf.tree, shelf.examples, framework, name)


# What opens first


@pytest.mark.parametrize(
    ("library", "framework", "file"),
    [
        ("router", "react", "src/routes/__root.tsx"),
        ("start", "solid", "src/routes/__root.tsx"),
        ("query", "react", "src/index.tsx"),
        ("form", "react", "src/index.tsx"),
        ("pacer", "solid", "src/index.tsx"),
        ("table", "react", "src/main.tsx"),
        ("virtual", "vanilla", "src/main.tsx"),
        ("table", "lit", "src/main.ts"),
        ("form", "lit", "src/index.ts"),
        ("query", "svelte", "src/App.svelte"),
        ("form", "vue", "src/App.vue"),
        ("form", "angular", "src/app/app.component.ts"),
    ],
)
def test_an_example_usually_begins_where_its_framework_and_library_do(
    catalog: Catalog, library: str, framework: str, file: str
) -> None:
    assert main_file(framework, catalog.library(library).example_entry) == file


@pytest.mark.parametrize(
    ("why", "files", "first"),
    [
        ("the usual file", ["README.md", "src/App.tsx", "src/main.tsx"], "src/main.tsx"),
        ("its name elsewhere", ["app/main.tsx", "src/App.tsx"], "app/main.tsx"),
        ("its name nearest to the root", ["src/a/b/main.tsx", "src/b/main.tsx"], "src/b/main.tsx"),
        ("a usual name, in their order", ["src/index.ts", "src/App.jsx"], "src/App.jsx"),
        ("an ending, in their order", ["src/App.js", "src/App.ts"], "src/App.ts"),
        ("page and action come last", ["app/action.ts", "app/page.tsx"], "app/page.tsx"),
        ("what a newer example begins with", ["README.md", "src/routes/+page.svelte"], "src/routes/+page.svelte"),
        ("what Octane begins with", ["src/index.css", "src/main.tsrx"], "src/main.tsrx"),
        ("what Ember begins with", ["app/app.js", "app/templates/application.gts"], "app/templates/application.gts"),
        ("the README before any other source", ["README.md", "src/thing.ts"], "README.md"),
        ("the nearest README", ["src/README.md", "README.md"], "README.md"),
        ("the first source", ["a.json", "lib/b.ts", "src/thing.ts"], "src/thing.ts"),
        ("a source in src before one in app", ["app/thing.ts", "src/thing.ts"], "src/thing.ts"),
        ("no picture and no styles while there is code", ["src/a.css", "src/b.svg", "src/c.ts"], "src/c.ts"),
        ("no lock file while there is code", ["package-lock.json", "yarn.lock", "z.json"], "z.json"),
        ("the first file", ["a.json", "b.json"], "a.json"),
        ("nothing from ignored folders", ["public/main.tsx", "src/tests/App.tsx", "z.json"], "z.json"),
        ("an ignored one when there is no other", ["public/main.tsx"], "public/main.tsx"),
        ("a lock file when there is no other", ["yarn.lock"], "yarn.lock"),
    ],
)
def test_an_example_begins_with(why: str, files: list[str], first: str) -> None:
    assert first_file(in_order(files), "src/main.tsx") == first


def test_a_file_of_the_repository_that_is_called_like_the_main_one_is_not_the_main_one() -> None:
    """Paths are compared relative to the example, never from the repository's root."""
    assert first_file(["src/examples/src/main.tsx", "src/main.tsx"], "src/main.tsx") == "src/main.tsx"


def test_an_example_without_files_begins_with_none() -> None:
    assert first_file([], "src/main.tsx") is None


def test_a_tree_shows_folders_first_then_dotfiles_then_names_whatever_their_case() -> None:
    files = ["z.ts", "B.ts", "a.ts", ".env", "src/z.ts", "src/.x", "src/lib/deep/er/one.ts", ".vscode/a.json", "App/a"]
    assert in_order(files) == (
        ".vscode/a.json",
        "App/a",
        "src/lib/deep/er/one.ts",
        "src/.x",
        "src/z.ts",
        ".env",
        "a.ts",
        "B.ts",
        "z.ts",
    )


# Files


@pytest.mark.parametrize(
    ("file", "content", "kind"),
    [
        ("a.ts", b"let a\n", "code"),
        ("empty.ts", b"", "empty"),
        ("a.png", b"\x89PNG\0\0", "picture"),
        ("favicon.ico", b"\0\0\1\0", "picture"),
        ("a.woff2", b"wOF2\0", "binary"),
        ("a.svg", b"<svg/>", "code"),
        ("fake.png", b"only text", "code"),
        ("big.txt", b"x" * (LARGEST_SHOWN + 1), "large"),
        ("late.bin", b"x" * 10_000 + b"\0", "code"),
        ("latin.txt", b"caf\xe9", "code"),
    ],
)
def test_a_file_is_what_its_content_says(file: str, content: bytes, kind: Kind) -> None:
    source = source_of(file, content, "react")
    assert (source.kind, source.size) == (kind, len(content))
    assert (source.snippet is not None) == (kind == "code")


def test_a_file_too_long_to_be_coloured_is_plain_and_whole() -> None:
    source = source_of("a.ts", b"let a = 1\n" * (LARGEST_COLOURED // 10 + 1), "react")
    assert source.kind == "code"
    assert not source.is_coloured
    assert source_of("a.ts", b"let a = 1\n", "react").is_coloured


def test_every_line_has_a_number_that_links_to_it() -> None:
    html = markup(Snippet("ts", "let a = 1\n\nlet b = a < 2"), None)
    assert html.count('href="#L') == 3
    assert '<a id="L3" href="#L3" tabindex="-1">3</a></span><code>let a = 1\n\nlet b = a &lt; 2</code>' in html


def test_coloured_code_stands_in_the_place_of_plain_code() -> None:
    assert markup(Snippet("ts", "let a"), '<span class="k">let</span> a').endswith(
        '<code><span class="k">let</span> a</code>'
    )


@pytest.mark.parametrize(
    ("path", "framework", "language"),
    [
        ("src/main.tsx", "react", "tsx"),
        ("src/main.tsrx", "octane", "tsx"),
        ("vite.config.mts", "react", "ts"),
        ("server.cjs", "react", "js"),
        (".env.local", "react", "dotenv"),
        (".env", "react", "dotenv"),
        (".eslintrc", "react", "json"),
        ("tsconfig.app.json", "react", "jsonc"),
        ("Dockerfile", "react", "docker"),
        ("public/site.webmanifest", "react", "json"),
        ("src/app/app.component.ts", "angular", "angular-ts"),
        ("src/app/app.component.html", "angular", "angular-html"),
        ("src/main.ts", "angular", "ts"),
        ("app/templates/application.gts", "ember", "gts"),
        ("src/routes/+page.marko", "marko", "marko"),
        ("src/logo.svg", "react", "xml"),
        (".gitignore", "react", "text"),
        ("yarn.lock", "react", "text"),
        ("LICENSE", "react", "text"),
        ("odd.$x", "react", "text"),
    ],
)
def test_a_file_is_written_in_the_language_its_name_says(path: str, framework: str, language: str) -> None:
    assert language_of(path, framework) == language


# Previews


def test_a_preview_begins_after_what_is_only_imported() -> None:
    code = """'use client'
// A comment.
import * as React from 'react'
import {
  useQuery,
} from '@tanstack/react-query'
import './index.css'

const client = import('./late')
export default client"""
    wanted = Snippet("tsx", "const client = import('./late')\nexport default client")
    assert preview_of(Snippet("tsx", code)) == wanted


@pytest.mark.parametrize(
    ("code", "preview"),
    [
        ("<script lang='ts'>\n  import a from 'a'\n  let b = a\n</script>\n<b/>", Snippet("ts", "let b = a")),
        ("<script>\n  import a from 'a'\n</script>\n\n<b/>", Snippet("svelte", "<b/>")),
        ("<b/>\n<script>\nlet a\n</script>", Snippet("svelte", "<b/>\n<script>\nlet a\n</script>")),
        ("<script>", Snippet("svelte", "<script>")),
        ("", Snippet("svelte", "")),
    ],
)
def test_a_preview_of_a_component_is_its_script_or_what_follows_an_empty_one(code: str, preview: Snippet) -> None:
    assert preview_of(Snippet("svelte", code)) == preview


def test_a_preview_of_nothing_but_imports_shows_them() -> None:
    only_imports = Snippet("ts", "import './one'\nimport './two'")
    assert preview_of(only_imports) == only_imports


def test_a_preview_is_a_few_lines() -> None:
    assert preview_of(Snippet("ts", "\n".join(f"let a{n}" for n in range(100)))).code.count("\n") == LINES - 1


# An example


def test_a_path_that_leaves_the_example_names_nothing_in_it(shelved: Shelved) -> None:
    example = example_of(
        shelved(
            {
                "TanStack/query/main/examples/react/basic/src/index.tsx": "let a",
                "TanStack/query/main/examples/react/basics/secret.ts": "secret",
            }
        )
    )
    inside = "examples/react/basic"
    assert example.inside(f"{inside}/src/index.tsx") == "src/index.tsx"
    for path in (
        f"{inside}/../basics/secret.ts",
        f"{inside}//src/index.tsx",
        f"{inside}/./src/index.tsx",
        "examples/react/basics/secret.ts",
        f"/{inside}/src/index.tsx",
        f"{inside}/",
        inside,
        f"{inside}/a\0b",
        f"{inside}/..\\basics\\secret.ts",
        "src/index.tsx",
        "",
    ):
        assert example.inside(path) is None
    with pytest.raises(NotFound):
        example.read("../basics/secret.ts")


def test_an_example_is_called_by_its_folder() -> None:
    assert title_of("infinite-scroll_two") == "Infinite Scroll Two"


def test_an_example_that_is_not_there_is_not_found(shelved: Shelved) -> None:
    docs = shelved({"TanStack/query/main/examples/react/basic/a.ts": "let a"})
    for framework, name in (("vue", "basic"), ("react", "nope"), ("react", "basic/a.ts"), ("..", ".."), ("", "")):
        with pytest.raises(NotFound):
            example_of(docs, framework, name)


# Elsewhere


def test_an_example_is_linked_to_where_its_library_allows(shelved: Shelved) -> None:
    docs = shelved(
        {f"TanStack/{repo}/main/examples/react/{name}/a.ts": "" for repo in ("query", "router") for name in ("one",)}
    )
    query, router = example_of(docs, name="one"), example_of(docs, name="one", library="router")
    assert [link.icon for link in links(query)] == ["github", "stackblitz", "codesandbox"]
    assert [link.icon for link in links(router)] == ["github", "stackblitz", "netlify"]
    assert links(router)[-1].to == (
        "https://app.netlify.com/start/deploy?repository=https://github.com/TanStack/router"
        "&create_from_path=examples/react/one"
    )
    assert sandbox(router).embed == (
        "https://stackblitz.com/github/TanStack/router/tree/main/examples/react/one?embed=1&preset=node"
    )
    start = replace(router, library=docs.catalog.library("start"))
    assert sandbox(start).editor == "codesandbox"
    assert sandbox(start).embed.startswith("https://codesandbox.io/p/devbox/github/TanStack/router/tree/main/")


# All of them


def test_a_list_has_one_entry_a_name_and_counts_every_framework(shelved: Shelved) -> None:
    docs = shelved(
        {
            "TanStack/query/main/examples/react/basic/src/index.tsx": "import 'x'\nlet a",
            "TanStack/query/main/examples/vue/basic/src/App.vue": "<template/>",
            "TanStack/query/main/examples/solid/astro/a.png": "",
        }
    )
    shelf = docs.shelf(QUERY)
    library = docs.catalog.library("query")
    found = listing(docs.catalog, library, shelf.tree, shelf.examples)
    assert [(count.framework, count.examples) for count in found.counts] == [("react", 1), ("vue", 1), ("solid", 1)]
    assert [(e.example.name, e.example.framework, e.frameworks) for e in found.examples] == [
        ("astro", "solid", ("solid",)),
        ("basic", "react", ("react", "vue")),
    ]
    assert [e.preview and e.preview.code for e in found.examples] == [None, "let a"]
    vue = listing(docs.catalog, library, shelf.tree, shelf.examples, framework="vue")
    assert [(e.example.name, e.example.framework) for e in vue.examples] == [("basic", "vue")]
    assert vue.counts == found.counts


def test_of_libraries_that_share_a_repository_each_lists_its_own(shelved: Shelved) -> None:
    names = ("basic", "start-basic", "starting")
    docs = shelved({f"TanStack/router/main/examples/react/{name}/src/main.tsx": "" for name in names})
    shelf = docs.shelf(Ref("TanStack/router", "main"))
    lists = {
        id: [
            e.example.name for e in listing(docs.catalog, docs.catalog.library(id), shelf.tree, shelf.examples).examples
        ]
        for id in ("router", "start")
    }
    assert lists == {"router": ["basic", "starting"], "start": ["start-basic"]}


def test_what_opens_first_is_highlighted_ahead_with_its_preview(shelved: Shelved) -> None:
    docs = shelved(
        {
            "TanStack/query/main/examples/react/basic/src/index.tsx": "import 'x'\nlet a",
            "TanStack/query/main/examples/react/basic/README.md": "# Basic",
            "TanStack/query/main/examples/react/picture/a.png": "",
            "TanStack/query/v4/examples/react/old/src/index.tsx": "let old",
        }
    )
    found = {name: [snippet.code for snippet in snippets] for name, snippets in sections(docs.catalog, docs.shelves)}
    revision = docs.shelf(QUERY).tree.revision
    assert found == {f"examples of query {revision}": ["import 'x'\nlet a", "let a"]}


# The zip


def git(folder: Path, *arguments: str) -> str:
    own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *own, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """A repository with everything in an example that a repository may hold."""
    folder = tmp_path / "upstream"
    example = folder / "examples/react/basic"
    (example / "src/deep/er").mkdir(parents=True)
    (folder / "secret.txt").write_text("secret")
    (example / "src/index.tsx").write_text("let a = 1\r\nlet b\n")
    (example / "src/deep/er/ümlaut $name.ts").write_text("deep")
    (example / "picture.png").write_bytes(bytes(range(256)) * 300)
    (example / "empty").write_bytes(b"")
    (example / "run.sh").write_text("#!/bin/sh\n")
    (example / "run.sh").chmod(0o755)
    (example / "link.txt").symlink_to("../../../secret.txt")
    (example / "linked").symlink_to("../../..")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "An example")
    return folder


def tree_of(upstream: Path) -> Tree:
    return GitTree(QUERY, git(upstream, "rev-parse", "HEAD").strip(), Objects(upstream / ".git"))


def in_git(catalog: Catalog, tree: Tree) -> Example:
    start = "examples/react/basic/"
    files = tuple(path.removeprefix(start) for path in tree.files if path.startswith(start))
    return Example(catalog.library("query"), tree, "react", "basic", files)


def unzipped(example: Example) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(b"".join(zipped(example)))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_zip_holds_what_git_holds_byte_for_byte(catalog: Catalog, upstream: Path) -> None:
    example = in_git(catalog, tree_of(upstream))
    listed = git(upstream, "ls-tree", "-r", "-z", "HEAD", "examples/react/basic").split("\0")
    entries = [line.split("\t") for line in listed if line]
    plain = {path: about.split()[2] for about, path in entries if about.startswith("100")}
    assert len(plain) == 5
    assert len(entries) == 7
    wanted = {
        "basic/" + path.removeprefix("examples/react/basic/"): subprocess.run(
            ["git", "cat-file", "blob", blob], cwd=upstream, check=True, capture_output=True
        ).stdout
        for path, blob in plain.items()
    }
    assert unzipped(example) == wanted


def test_the_same_files_are_the_same_zip_in_whatever_commit(catalog: Catalog, upstream: Path) -> None:
    before = in_git(catalog, tree_of(upstream))
    git(upstream, "commit", "--quiet", "--allow-empty", "--message", "Nothing")
    after = in_git(catalog, tree_of(upstream))
    assert before.tree.revision != after.tree.revision
    assert b"".join(zipped(before)) == b"".join(zipped(after))
    assert digest(before) == digest(after)


def test_another_content_is_another_zip(catalog: Catalog, upstream: Path) -> None:
    before = digest(in_git(catalog, tree_of(upstream)))
    (upstream / "examples/react/basic/empty").write_text("no more")
    git(upstream, "commit", "--quiet", "--all", "--message", "Something")
    assert digest(in_git(catalog, tree_of(upstream))) != before


def test_the_zip_comes_in_pieces_of_which_none_is_the_whole(catalog: Catalog, upstream: Path) -> None:
    pieces = list(zipped(in_git(catalog, tree_of(upstream))))
    assert len(pieces) == 6
    assert max(map(len, pieces)) < sum(map(len, pieces))
