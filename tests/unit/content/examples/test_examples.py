"""Examples: entry file, kinds and languages of files, previews, lists and the zip."""

from __future__ import annotations

import io
import subprocess
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kinfolk.config.catalog import Catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.branch_docs import BranchDocs
from kinfolk.content.examples import Example, find_example, list_examples, numbered_lines, view_file
from kinfolk.content.examples.entry_file import expected_entry_file, find_entry_file
from kinfolk.content.examples.example import example_title, sort_as_tree
from kinfolk.content.examples.example_snippets import example_snippets
from kinfolk.content.examples.external_links import embedded_sandbox, external_links
from kinfolk.content.examples.file_view import LARGEST_HIGHLIGHTED, LARGEST_SHOWN, FileKind
from kinfolk.content.examples.languages import language_of
from kinfolk.content.examples.preview import LINES, preview_of
from kinfolk.content.examples.zip_archive import stream_zip, zip_digest
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.content.sources.git.git_tree import GitTree, ObjectStore
from kinfolk.content.sources.snapshot import Tree
from kinfolk.runtime.errors import NotFound

DocsFromFiles = Callable[[dict[str, str]], DocsSnapshot]
QUERY = Ref("TanStack/query", "main")


def example_of(docs: DocsSnapshot, framework: str = "react", name: str = "basic", library: str = "query") -> Example:
    known = docs.catalog.library(library)
    branch_docs = ContentReader(docs).branch(Ref(known.content_repo, known.latest_branch))
    return find_example(known, branch_docs, branch_docs.examples, framework, name)


# Entry file


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
def test_expected_entry_file_depends_on_framework_and_library(
    catalog: Catalog, library: str, framework: str, file: str
) -> None:
    assert expected_entry_file(framework, catalog.library(library).example_entry) == file


@pytest.mark.parametrize(
    ("case", "files", "first"),
    [
        ("the usual file", ["README.md", "src/App.tsx", "src/main.tsx"], "src/main.tsx"),
        ("its name in another folder", ["app/main.tsx", "src/App.tsx"], "app/main.tsx"),
        ("its name nearest to the root", ["src/a/b/main.tsx", "src/b/main.tsx"], "src/b/main.tsx"),
        ("usual names in order", ["src/index.ts", "src/App.jsx"], "src/App.jsx"),
        ("extensions in order", ["src/App.js", "src/App.ts"], "src/App.ts"),
        ("page and action come last", ["app/action.ts", "app/page.tsx"], "app/page.tsx"),
        ("entry file of a newer framework", ["README.md", "src/routes/+page.svelte"], "src/routes/+page.svelte"),
        ("entry file of Octane", ["src/index.css", "src/main.tsrx"], "src/main.tsrx"),
        ("entry file of Ember", ["app/app.js", "app/templates/application.gts"], "app/templates/application.gts"),
        ("the README before any other source", ["README.md", "src/thing.ts"], "README.md"),
        ("the nearest README", ["src/README.md", "README.md"], "README.md"),
        ("the first source", ["a.json", "lib/b.ts", "src/thing.ts"], "src/thing.ts"),
        ("a source in src before one in app", ["app/thing.ts", "src/thing.ts"], "src/thing.ts"),
        ("code before pictures and styles", ["src/a.css", "src/b.svg", "src/c.ts"], "src/c.ts"),
        ("code before lock files", ["package-lock.json", "yarn.lock", "z.json"], "z.json"),
        ("the first file", ["a.json", "b.json"], "a.json"),
        ("no file from ignored folders", ["public/main.tsx", "src/tests/App.tsx", "z.json"], "z.json"),
        ("an ignored file if there is no other", ["public/main.tsx"], "public/main.tsx"),
        ("a lock file if there is no other", ["yarn.lock"], "yarn.lock"),
    ],
)
def test_entry_file_of_an_example(case: str, files: list[str], first: str) -> None:
    assert find_entry_file(sort_as_tree(files), "src/main.tsx") == first


def test_entry_file_is_searched_relative_to_the_example() -> None:
    """Paths are compared relative to the example, not to the repository's root."""
    assert find_entry_file(["src/examples/src/main.tsx", "src/main.tsx"], "src/main.tsx") == "src/main.tsx"


def test_example_without_files_has_no_entry_file() -> None:
    assert find_entry_file([], "src/main.tsx") is None


def test_tree_order_is_folders_then_dotfiles_then_names_ignoring_case() -> None:
    files = ["z.ts", "B.ts", "a.ts", ".env", "src/z.ts", "src/.x", "src/lib/deep/er/one.ts", ".vscode/a.json", "App/a"]
    assert sort_as_tree(files) == (
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
def test_kind_of_a_file_depends_on_its_content(file: str, content: bytes, kind: FileKind) -> None:
    source = view_file(file, content, "react")
    assert (source.kind, source.size) == (kind, len(content))
    assert (source.snippet is not None) == (kind == "code")


def test_long_file_is_not_highlighted() -> None:
    source = view_file("a.ts", b"let a = 1\n" * (LARGEST_HIGHLIGHTED // 10 + 1), "react")
    assert source.kind == "code"
    assert not source.is_highlighted
    assert view_file("a.ts", b"let a = 1\n", "react").is_highlighted


def test_each_line_has_a_linked_number() -> None:
    html = numbered_lines(CodeBlock("ts", "let a = 1\n\nlet b = a < 2"), None)
    assert html.count('href="#L') == 3
    assert '<a id="L3" href="#L3" tabindex="-1">3</a></span><code>let a = 1\n\nlet b = a &lt; 2</code>' in html


def test_highlighted_code_replaces_plain_code() -> None:
    assert numbered_lines(CodeBlock("ts", "let a"), '<span class="k">let</span> a').endswith(
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
def test_language_of_a_file_depends_on_its_name(path: str, framework: str, language: str) -> None:
    assert language_of(path, framework) == language


# Previews


def test_preview_begins_after_the_imports() -> None:
    code = """'use client'
// A comment.
import * as React from 'react'
import {
  useQuery,
} from '@tanstack/react-query'
import './index.css'

const client = import('./late')
export default client"""
    expected = CodeBlock("tsx", "const client = import('./late')\nexport default client")
    assert preview_of(CodeBlock("tsx", code)) == expected


@pytest.mark.parametrize(
    ("code", "preview"),
    [
        ("<script lang='ts'>\n  import a from 'a'\n  let b = a\n</script>\n<b/>", CodeBlock("ts", "let b = a")),
        ("<script>\n  import a from 'a'\n</script>\n\n<b/>", CodeBlock("svelte", "<b/>")),
        ("<b/>\n<script>\nlet a\n</script>", CodeBlock("svelte", "<b/>\n<script>\nlet a\n</script>")),
        ("<script>", CodeBlock("svelte", "<script>")),
        ("", CodeBlock("svelte", "")),
    ],
)
def test_preview_of_a_component_is_its_script_or_its_markup(code: str, preview: CodeBlock) -> None:
    assert preview_of(CodeBlock("svelte", code)) == preview


def test_preview_of_a_file_with_only_imports_shows_them() -> None:
    only_imports = CodeBlock("ts", "import './one'\nimport './two'")
    assert preview_of(only_imports) == only_imports


def test_preview_has_a_maximum_of_lines() -> None:
    assert preview_of(CodeBlock("ts", "\n".join(f"let a{n}" for n in range(100)))).code.count("\n") == LINES - 1


# An example


def test_path_outside_of_the_example_is_rejected(docs_from_files: DocsFromFiles) -> None:
    example = example_of(
        docs_from_files(
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


def test_title_of_an_example_is_its_folder_name() -> None:
    assert example_title("infinite-scroll_two") == "Infinite Scroll Two"


def test_missing_example_is_not_found(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files({"TanStack/query/main/examples/react/basic/a.ts": "let a"})
    for framework, name in (("vue", "basic"), ("react", "nope"), ("react", "basic/a.ts"), ("..", ".."), ("", "")):
        with pytest.raises(NotFound):
            example_of(docs, framework, name)


# External links


def test_external_links_depend_on_the_library(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {f"TanStack/{repo}/main/examples/react/{name}/a.ts": "" for repo in ("query", "router") for name in ("one",)}
    )
    query, router = example_of(docs, name="one"), example_of(docs, name="one", library="router")
    assert [link.icon for link in external_links(query)] == ["github", "stackblitz", "codesandbox"]
    assert [link.icon for link in external_links(router)] == ["github", "stackblitz", "netlify"]
    assert external_links(router)[-1].to == (
        "https://app.netlify.com/start/deploy?repository=https://github.com/TanStack/router"
        "&create_from_path=examples/react/one"
    )
    stackblitz = embedded_sandbox(router)
    assert stackblitz is not None
    assert stackblitz.embed == (
        "https://stackblitz.com/github/TanStack/router/tree/main/examples/react/one?embed=1&preset=node"
    )
    codesandbox = embedded_sandbox(replace(router, library=docs.catalog.library("start")))
    assert codesandbox is not None
    assert codesandbox.editor == "codesandbox"
    assert codesandbox.embed.startswith("https://codesandbox.io/p/devbox/github/TanStack/router/tree/main/")


def test_examples_on_gitlab_link_to_no_sandbox(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files({"TanStack/query/main/examples/react/one/a.ts": ""})
    example = example_of(docs, name="one")
    example = replace(example, library=replace(example.library, host="gitlab", hide_codesandbox_url=False))
    assert [(link.label, link.to) for link in external_links(example)] == [
        ("GitLab", "https://gitlab.com/TanStack/query/-/tree/main/examples/react/one")
    ]
    assert embedded_sandbox(example) is None


def test_example_of_a_local_library_has_no_external_links(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files({"TanStack/query/main/examples/react/one/a.ts": ""})
    example = example_of(docs, name="one")
    local = replace(example, library=replace(example.library, repo=None))
    assert (external_links(local), embedded_sandbox(local)) == ((), None)


# Lists


def test_list_has_one_entry_per_name_and_counts_per_framework(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {
            "TanStack/query/main/examples/react/basic/src/index.tsx": "import 'x'\nlet a",
            "TanStack/query/main/examples/vue/basic/src/App.vue": "<template/>",
            "TanStack/query/main/examples/solid/astro/a.png": "",
        }
    )
    branch_docs = ContentReader(docs).branch(QUERY)
    library = docs.catalog.library("query")
    found = list_examples(docs.catalog, library, branch_docs, branch_docs.examples)
    assert [(count.framework, count.examples) for count in found.counts] == [("react", 1), ("vue", 1), ("solid", 1)]
    assert [(e.example.name, e.example.framework, e.frameworks) for e in found.examples] == [
        ("astro", "solid", ("solid",)),
        ("basic", "react", ("react", "vue")),
    ]
    assert [e.preview and e.preview.code for e in found.examples] == [None, "let a"]
    vue = list_examples(docs.catalog, library, branch_docs, branch_docs.examples, framework="vue")
    assert [(e.example.name, e.example.framework) for e in vue.examples] == [("basic", "vue")]
    assert vue.counts == found.counts


def test_libraries_of_one_repository_list_their_own_examples(docs_from_files: DocsFromFiles) -> None:
    names = ("basic", "start-basic", "starting")
    docs = docs_from_files({f"TanStack/router/main/examples/react/{name}/src/main.tsx": "" for name in names})
    branch_docs = ContentReader(docs).branch(Ref("TanStack/router", "main"))
    lists = {
        id: [
            e.example.name
            for e in list_examples(docs.catalog, docs.catalog.library(id), branch_docs, branch_docs.examples).examples
        ]
        for id in ("router", "start")
    }
    assert lists == {"router": ["basic", "starting"], "start": ["start-basic"]}


def test_entry_file_and_preview_are_listed_for_highlighting(docs_from_files: DocsFromFiles) -> None:
    docs = docs_from_files(
        {
            "TanStack/query/main/examples/react/basic/src/index.tsx": "import 'x'\nlet a",
            "TanStack/query/main/examples/react/basic/README.md": "# Basic",
            "TanStack/query/main/examples/react/picture/a.png": "",
            "TanStack/query/v4/examples/react/old/src/index.tsx": "let old",
        }
    )
    found = {
        name: [snippet.code for snippet in snippets] for name, snippets in example_snippets(docs.catalog, docs.branches)
    }
    revision = docs.branches[QUERY].revision
    assert found == {f"examples of query {revision}": ["import 'x'\nlet a", "let a"]}


# The zip


def git(folder: Path, *arguments: str) -> str:
    own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *own, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """A repository with an example of text, binary, empty and executable files, and symbolic links."""
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
    return GitTree(QUERY, git(upstream, "rev-parse", "HEAD").strip(), ObjectStore(upstream / ".git"))


def example_in(catalog: Catalog, tree: Tree) -> Example:
    branch = BranchDocs(tree)
    return Example(catalog.library("query"), branch, "react", "basic", branch.examples["react", "basic"])


def unzipped(example: Example) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(b"".join(stream_zip(example)))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_zip_contains_the_files_in_git(catalog: Catalog, upstream: Path) -> None:
    example = example_in(catalog, tree_of(upstream))
    listed = git(upstream, "ls-tree", "-r", "-z", "HEAD", "examples/react/basic").split("\0")
    entries = [line.split("\t") for line in listed if line]
    plain = {path: about.split()[2] for about, path in entries if about.startswith("100")}
    assert len(plain) == 5
    assert len(entries) == 7
    expected = {
        "basic/" + path.removeprefix("examples/react/basic/"): subprocess.run(
            ["git", "cat-file", "blob", blob], cwd=upstream, check=True, capture_output=True
        ).stdout
        for path, blob in plain.items()
    }
    assert unzipped(example) == expected


def test_equal_files_of_two_commits_give_an_equal_zip(catalog: Catalog, upstream: Path) -> None:
    trees = [tree_of(upstream)]
    git(upstream, "commit", "--quiet", "--allow-empty", "--message", "Nothing")
    trees.append(tree_of(upstream))
    before, after = (example_in(catalog, tree) for tree in trees)
    assert trees[0].revision != trees[1].revision
    assert b"".join(stream_zip(before)) == b"".join(stream_zip(after))
    assert zip_digest(before) == zip_digest(after)


def test_changed_file_changes_the_digest_of_the_zip(catalog: Catalog, upstream: Path) -> None:
    before = zip_digest(example_in(catalog, tree_of(upstream)))
    (upstream / "examples/react/basic/empty").write_text("no more")
    git(upstream, "commit", "--quiet", "--all", "--message", "Something")
    assert zip_digest(example_in(catalog, tree_of(upstream))) != before


def test_zip_is_streamed_in_chunks(catalog: Catalog, upstream: Path) -> None:
    chunks = list(stream_zip(example_in(catalog, tree_of(upstream))))
    assert len(chunks) == 6
    assert max(map(len, chunks)) < sum(map(len, chunks))
