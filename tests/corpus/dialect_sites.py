"""A site of libraries whose docs are written for other programs, from bare repositories, and measures of its pages."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.html

from kinfolk.config.catalog import load_catalog
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.redirects import load_redirects
from kinfolk.content.sources.directory import DirectorySource
from kinfolk.runtime.errors import SiteError

LARGEST_FILE = 2_000_000
"""Bytes. Larger files are no text, and no page needs them."""

FAMILY = """
product = "Kinfolk"
family = "Dialects"
owner = "Dialects"
contact = "support@example.com"
title = "Docs in several dialects"
description = "Docs in several dialects."
keywords = ["docs"]
sponsors_url = "https://github.com/sponsors/example"
consultants = []
partners = []
ad_slots = []
courses = []
social = []
menu = []
footer = []
frameworks = [{value = "react", label = "React", color = "sky-500"}]
promo = {rotation_ms = 300_000}
home = {claim = "Docs in several dialects.", emphasis = "several", lede = "One server renders them."}

[[groups]]
id = "all"
label = "Libraries"
libraries = []
"""

LIBRARY = """
id = "{id}"
name = "{id}"
short_name = "{id}"
to = "/{id}"
order = {order}
group = "all"
tagline = "Docs of {id}"
description = "Docs of {id}."
repo = "{repo}"
dialect = "{dialect}"
docs_root = "{root}"
default_docs = "{start}"
latest_version = "v1"
latest_branch = "main"
frameworks = []
color_from = "sky-500"
color_to = "sky-500"
text_color = "sky-500"
bg_style = "sky-500"
text_style = "sky-500"
card_styles = {{ light = "sky-600", dark = "sky-400" }}
menu = []
feature_highlights = []

[[versions]]
name = "v1"
branch = "main"
"""


@dataclass(frozen=True)
class DialectRepository:
    """`folders` are the folders and files that pages use besides the docs."""

    repo: str
    dialect: str
    root: str = "docs"
    start: str = "index"
    folders: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return re.sub("[^a-z0-9]+", "-", self.repo.rpartition("/")[2].lower())


REPOSITORIES = (
    DialectRepository("vitejs/vite", "vitepress", start="guide/index"),
    DialectRepository("vitest-dev/vitest", "vitepress", start="guide/index"),
    DialectRepository("vuejs/vitepress", "vitepress", root="docs/en", start="guide/getting-started", folders=("docs",)),
    DialectRepository("rollup/rollup", "vitepress", start="introduction/index"),
    DialectRepository("squidfunk/mkdocs-material", "mkdocs", folders=("mkdocs.yml", "includes")),
    DialectRepository("fastapi/fastapi", "mkdocs", root="docs/en/docs", folders=("docs/en", "docs_src")),
    DialectRepository("pydantic/pydantic", "mkdocs", folders=("mkdocs.yml",)),
    DialectRepository("encode/httpx", "mkdocs", folders=("mkdocs.yml",)),
    DialectRepository("reduxjs/redux", "docusaurus", start="introduction/getting-started", folders=("website",)),
    DialectRepository("jestjs/jest", "docusaurus", start="getting-started", folders=("website/static",)),
    DialectRepository("rust-lang/book", "mdbook", root="src", start="title-page", folders=("listings", "packages")),
    DialectRepository("rust-lang/mdBook", "mdbook", root="guide/src", folders=("guide", "examples")),
    DialectRepository("rust-lang/rust-by-example", "mdbook", root="src"),
    DialectRepository("executablebooks/MyST-Parser", "myst", folders=("docs", "example-include.md", "CHANGELOG.md")),
    DialectRepository("jupyter-book/jupyter-book", "myst", folders=("docs", "CHANGELOG.md", "CONTRIBUTING.md")),
    DialectRepository("pydata/pydata-sphinx-theme", "myst"),
    DialectRepository(
        "typescript-eslint/typescript-eslint", "docusaurus", start="getting-started", folders=("website",)
    ),
    DialectRepository("nitrojs/nitro", "nuxt-content"),
    DialectRepository("nuxt/content", "nuxt-content", root="docs/content/docs", start="getting-started/index"),
    DialectRepository("unjs/h3", "nuxt-content", start="guide/index"),
)


def write_site(folder: Path, bare: Path, chosen: tuple[DialectRepository, ...]) -> None:
    """Write `data/` and `content/` of a site with these libraries. `bare` has repositories as `owner+name`."""
    (folder / "data" / "libraries").mkdir(parents=True, exist_ok=True)
    (folder / "data" / "kinfolk.toml").write_text(FAMILY)
    for order, one in enumerate(chosen, 1):
        facts = {
            "id": one.id,
            "order": order,
            "repo": one.repo,
            "dialect": one.dialect,
            "root": one.root,
            "start": one.start,
        }
        (folder / "data" / "libraries" / f"{one.id}.toml").write_text(LIBRARY.format(**facts))
        target = folder / "content" / one.repo / "main"
        if not target.exists():
            _extract(git_folder(bare, one.repo), target, (one.root, *one.folders))


def git_folder(bare: Path, repo: str) -> Path:
    folder = bare / repo.replace("/", "+")
    return folder if (folder / "HEAD").exists() else folder / "repo"


def _extract(git: Path, target: Path, paths: tuple[str, ...]) -> None:
    """The files of the newest commit, without those that are large or that the copy of the repository lacks."""
    listed = subprocess.run(
        ["git", f"--git-dir={git}", "ls-tree", "-r", "-z", "HEAD", "--", *paths],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    entries = [entry.split("\t", 1) for entry in listed.split("\0") if entry]
    wanted = [(about.split()[2], path) for about, path in entries if about.startswith("100")]
    made = subprocess.run(
        ["git", f"--git-dir={git}", "cat-file", "--batch"],
        input="".join(f"{blob}\n" for blob, _ in wanted).encode(),
        check=True,
        capture_output=True,
    ).stdout
    at = 0
    for _, path in wanted:
        end = made.index(b"\n", at)
        header = made[at:end].split()
        at = end + 1
        if header[1] == b"missing":
            continue
        size = int(header[2])
        if size <= LARGEST_FILE:
            file = target / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(made[at : at + size])
        at += size + 1


LITERALS = {
    "container": re.compile(r"(?m)^\s*:{3,}"),
    "mustache": re.compile(r"\{\{[^{}]*\}\}"),
    "component": re.compile(r"</?[A-Z][A-Za-z]+[\s/>]"),
    "admonition": re.compile(r"(?m)^\s*(?:!!!|\?\?\?)\+? \w"),
    "tab": re.compile(r"(?m)^\s*===[!+]? \""),
    "snippet": re.compile(r"--8<--|<<< |@include:|\{!|\{\*"),
    "icon": re.compile(r":(?:material|octicons|fontawesome|simple)-[a-z]"),
    "attributes": re.compile(r"\{:?\s*[#.][\w-]+[^{}]*\}|\{ [a-z]+=[^{}]*\}"),
    "toc": re.compile(r"\[\[toc\]\]|\[TOC\]", re.IGNORECASE),
    "keys": re.compile(r"\+\+\w+(?:\+\w+)*\+\+"),
    "critic": re.compile(r"\{(?:\+\+|--|~~|==|>>)"),
    "statement": re.compile(r"(?m)^\s*(?:import .* from ['\"]|export (?:const|default) )"),
    "comment": re.compile(r"\{/\*|<!--"),
    "block": re.compile(r"(?m)^\s*/{3,}(?: \w|\s*$)"),
    "reference": re.compile(r"\]\["),
    "private": re.compile("[\ue000-\ue0ff]"),
    "directive": re.compile(r"\[!code|\(\d+\)!"),
}
_ID_ATTRIBUTE = re.compile(r"\b(?:id|name)=[\"']([^\"']+)")
_HIDDEN = ("pre", "code", "script", "style", "kbd")


@dataclass
class Measure:
    """Counts of one library's pages, links and anchors, and examples of what is wrong."""

    pages: int = 0
    failed: list[str] = field(default_factory=list)
    literal: list[str] = field(default_factory=list)
    links: int = 0
    broken: list[str] = field(default_factory=list)
    anchors: int = 0
    lost: list[str] = field(default_factory=list)
    absent: int = 0
    """Links and anchors whose target the repository does not have: they are broken on the original site, too."""
    problems: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def share(good: int, all: int) -> float:
        return good / all if all else 1.0

    @property
    def clean_pages(self) -> float:
        return self.share(self.pages - len(self.failed) - len(self.literal), self.pages)

    @property
    def resolved_links(self) -> float:
        return self.share(self.links - len(self.broken), self.links)

    @property
    def resolved_anchors(self) -> float:
        return self.share(self.anchors - len(self.lost), self.anchors)

    def line(self, name: str) -> str:
        return (
            f"{name}: {self.pages} pages, {len(self.failed)} failed, {self.clean_pages:.2%} clean;"
            f" links {self.links}, {self.resolved_links:.2%}; anchors {self.anchors}, {self.resolved_anchors:.2%};"
            f" {self.absent} without a target in the repository"
        )


def open_site(folder: Path) -> ContentReader:
    catalog = load_catalog(folder / "data")
    snapshot = DirectorySource(folder / "content", catalog.refs, "corpus").open()
    (folder / "data" / "redirects.toml").touch()
    return ContentReader(DocsSnapshot(catalog, load_redirects(folder / "data"), snapshot))


def measure(docs: ContentReader, one: DialectRepository) -> Measure:
    found = Measure()
    ref = Ref(one.repo, "main")
    branch = docs.branch(ref)
    root = docs.catalog.library(one.id).docs_root
    pages: dict[str, tuple[str, MarkdownPage]] = {}
    for inside in branch.page_paths(root):
        found.pages += 1
        try:
            doc = docs.page(docs.locate(ref, f"{root}/{inside}.md"))
        except SiteError as wrong:
            found.failed.append(f"{inside}: {wrong.message}")
            continue
        if doc.page.limit:
            found.failed.append(f"{inside}: {doc.page.limit}")
        literal = list(literals_in(doc.html))
        if literal:
            found.literal.append(f"{inside}: {literal[:3]}")
        pages[f"/{one.id}/latest/docs/{inside}"] = (inside, doc.page)
        pages.setdefault(f"/{one.id}/latest/docs/{inside.removesuffix('/index')}", (inside, doc.page))
        found.problems.update(re.sub(r"[<'{`].*", "", problem.message)[:60] for problem in doc.page.problems)
    for inside, page in dict(pages.values()).items():
        _links(found, inside, page, pages, branch)
    return found


def _links(
    found: Measure, inside: str, page: MarkdownPage, pages: dict[str, tuple[str, MarkdownPage]], branch: BranchReader
) -> None:
    for link in page.links:
        parts = urlsplit(link.href)
        if parts.scheme or parts.netloc:
            continue
        target = pages.get(unquote(parts.path))
        if parts.path:
            found.links += 1
            if link.broken or (target is None and not parts.path.startswith("/_files/")):
                if not _has_name(branch, link.written):
                    found.links -= 1
                    found.absent += 1
                    continue
                found.broken.append(f"{inside}:{link.line}: {link.written}")
                continue
        if parts.fragment and (target or not parts.path):
            found.anchors += 1
            names = target[1].anchors if target and parts.path else page.anchors
            if unquote(parts.fragment) not in names and not _may_have(
                target[1] if target and parts.path else page, parts.fragment
            ):
                found.anchors -= 1
                found.absent += 1
            elif unquote(parts.fragment) not in names:
                found.lost.append(f"{inside}:{link.line}: {link.written}")


def _has_name(branch: BranchReader, written: str) -> bool:
    """Whether a file or folder of the repository has the last name of a link's path."""
    name = urlsplit(written).path.rstrip("/").rpartition("/")[2].rsplit(".", 1)[0].lower()
    return any(
        name == part.rsplit(".", 1)[0].lower() for path in branch.paths_below("docs") for part in path.split("/")[-2:]
    )


def _may_have(page: MarkdownPage, fragment: str) -> bool:
    """Whether the page has a heading or a marked id of the same letters and digits as a fragment."""
    wanted = _letters(unquote(fragment))
    headings = (row for row in page.text.split("\n") if row.lstrip("> ").startswith("#"))
    names = (*page.anchors, *_ID_ATTRIBUTE.findall(page.text))
    return any(wanted in _letters(row) for row in headings) or any(wanted == _letters(name) for name in names)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def literals_in(html: str) -> Iterator[str]:
    """Syntax of a dialect in the visible text outside of code."""
    tree = lxml.html.fragment_fromstring(html, create_parent="div")
    for element in list(tree.iter(*_HIDDEN)):
        element.drop_tree()
    text = "\n".join(tree.itertext())
    for name, pattern in LITERALS.items():
        match = pattern.search(text)
        if match:
            yield f"{name}: {text[max(0, match.start() - 30) : match.end() + 40]!r}"
