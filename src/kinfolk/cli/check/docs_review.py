"""What changes in the docs between two commits of a repository on this machine, and which faults it adds.

Both commits are read from git's objects: nothing is checked out, and no code of either is run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from pathlib import Path

import pygit2

from kinfolk.cli.check.code_check import open_run
from kinfolk.cli.check.content_check import check_snapshot
from kinfolk.config.catalog import Catalog, Library, open_catalog
from kinfolk.config.catalog.releases import PullRequestHead, Release
from kinfolk.config.docs_address import Ref, preview_name
from kinfolk.config.settings import Settings
from kinfolk.content.code_checks.checker.code_checker import CheckFailed
from kinfolk.content.docs import ContentReader, DocsSnapshot
from kinfolk.content.docs.branch_docs import BranchDocs, open_branch
from kinfolk.content.docs.docs_source import checkouts
from kinfolk.content.docs.snapshots.preview_report import PreviewComparison, PreviewFinding, PreviewPage
from kinfolk.content.docs.snapshots.release_docs import ReleaseDocs
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool
from kinfolk.content.redirects import Redirects, load_redirects
from kinfolk.content.sources.git.git_tree import GIT_ERRORS, GitTree, ObjectStore
from kinfolk.content.sources.snapshot import Snapshot
from kinfolk.runtime.errors import Invalid, InvalidFile, SiteError, Unavailable

NUMBER = 1
"""That of the pull request as which the head is read."""


@dataclass(frozen=True)
class ReviewedPage:
    """A page that differs. `difference` is HTML; empty for a page that cannot be shown."""

    page: PreviewPage
    difference: str


@dataclass(frozen=True)
class DocsReview:
    """The changes from the commit `base` to the commit `head`, of the docs of a library.

    `findings` are the faults that only the head has; `known` is the number of those that both have.
    """

    library: Library
    base: str
    head: str
    pages: tuple[ReviewedPage, ...]
    findings: tuple[InvalidFile, ...]
    known: int


def review_docs(
    settings: Settings, folder: Path, base: str, head: str, *, library: str | None = None, with_code: bool = False
) -> DocsReview:
    """Compare `head` with the commit that it has in common with `base`. Takes as long as two checks.

    `folder` is in the repository; `library` is the id of a library, by default that whose docs are in the repository.
    `with_code` checks the code blocks of the changed pages. Raises Invalid for a folder without a repository, an
    unknown commit, and where the library is not clear, Unavailable if the code cannot be checked.
    """
    catalog = open_catalog(settings)
    found = pygit2.discover_repository(str(folder))
    if found is None:
        raise Invalid(f"{folder} is in no git repository")
    repository = pygit2.Repository(found)
    top = Path(repository.workdir or folder).resolve()
    chosen, inside = _library(settings, catalog, top, library)
    last = _commit(repository, head)
    fork = repository.merge_base(_commit(repository, base), last)
    if fork is None:
        raise Invalid(f"{base} and {head} have no commit in common")
    store = ObjectStore(Path(found))
    ref = chosen.ref(None)
    old, new = (GitTree(ref, str(commit), store, top=inside) for commit in (fork, last))
    before, after = (check_snapshot(settings, catalog, Snapshot({ref: tree})).faults for tree in (old, new))
    known = {(fault.file, fault.reason) for fault in before}
    findings = tuple(_local(fault, ref, inside) for fault in after if (fault.file, fault.reason) not in known)
    pages, code = _changed_pages(settings, catalog, chosen, old, new, with_code=with_code)
    wrong = tuple(_local(fault, ref, inside) for fault, is_new in code if is_new)
    count = len(after) - len(findings) + len(code) - len(wrong)
    return DocsReview(chosen, str(fork), str(last), pages, (*findings, *wrong), count)


class LocalHead(ReleaseDocs):
    """The docs of one commit, as those of a pull request whose base is the commit that it began with."""

    def __init__(self, catalog: Catalog, markdown: MarkdownRenderer, head: BranchDocs) -> None:
        super().__init__(catalog, None, markdown, most_open=1)
        self._head = head

    def find(self, ref: Ref) -> BranchDocs | None:
        return self._head if ref == self._head.ref else None

    def fork_files(self, ref: Ref, base: str) -> Mapping[str, str] | None:
        del ref, base
        return None


def _changed_pages(
    settings: Settings, catalog: Catalog, library: Library, old: GitTree, new: GitTree, *, with_code: bool
) -> tuple[tuple[ReviewedPage, ...], Sequence[tuple[InvalidFile, bool]]]:
    """The pages that differ, and what is wrong in their code, each with whether the base does not have it."""
    version = preview_name(NUMBER)
    root = library.docs_facts(library.latest_version).docs_root
    head = PullRequestHead(NUMBER, library.latest_version, source="")
    day = new.changed_at.date() if new.changed_at else date.min
    preview = Release(version, new.revision, new.revision, day, {}, root, "", pull_request=head)
    library.releases.replace_previews([preview])
    tree = GitTree(library.ref(version), new.revision, new.objects, top=new.top)
    pool = MarkdownProcessPool()
    pool.first_framework, pool.link_schemes = catalog.default_framework, catalog.link_schemes
    try:
        markdown = MarkdownRenderer(pool)
        docs = open_branch(catalog, tree, markdown, is_release=True)
        redirects: Redirects = load_redirects(settings.site)
        snapshot = DocsSnapshot(
            catalog,
            redirects,
            Snapshot({old.ref: old}),
            markdown=markdown,
            releases=LocalHead(catalog, markdown, docs),
        )
        compared = PreviewComparison(ContentReader(snapshot), library, version)
        pages = tuple(ReviewedPage(page, _difference(compared, page)) for page in compared.pages())
        return pages, _wrong_code(settings, catalog, snapshot, compared) if with_code else ()
    finally:
        pool.close()
        library.releases.replace_previews(())


def _wrong_code(
    settings: Settings, catalog: Catalog, docs: DocsSnapshot, compared: PreviewComparison
) -> list[tuple[InvalidFile, bool]]:
    with open_run(settings, catalog, docs, None) as (run, store):
        docs.code_checks = store
        try:
            run.check_both(compared)
        except CheckFailed as failure:
            raise Unavailable(f"The code cannot be checked: {failure}") from failure
        name = f"{compared.old.ref.repo}/{compared.old.ref.branch}"
        return [
            (InvalidFile(f"{name}/{found.file}", found.line, _with_code(found)), found.is_new)
            for found in compared.code_findings()
        ]


def _with_code(found: PreviewFinding) -> str:
    return found.text if found.line or not found.code else f"{found.text} In: {found.code}"


def _local(fault: InvalidFile, ref: Ref, inside: str) -> InvalidFile:
    """The fault with paths from the top of the repository."""
    start, own = f"{ref.repo}/{ref.branch}/", f"{inside}/" if inside else ""
    named = fault.file.startswith(start)
    file = own + fault.file[len(start) :] if named else fault.file
    return InvalidFile(file, fault.key, fault.reason.replace(start, own))


def _difference(compared: PreviewComparison, page: PreviewPage) -> str:
    try:
        return compared.difference(page)
    except SiteError:  # the findings say why the page cannot be shown
        return ""


def _library(settings: Settings, catalog: Catalog, top: Path, id: str | None) -> tuple[Library, str]:
    """The library whose docs are in a repository, and the folder of the repository that its paths start from."""
    folders = checkouts(settings, catalog)
    places: dict[str, str] = {}
    for each in catalog.libraries:
        folder = folders.get(each.ref(None))
        if folder is None:
            places[each.id] = ""
        elif folder == top or top in folder.parents:
            places[each.id] = "" if folder == top else folder.relative_to(top).as_posix()
    local = [each for each in places if folders.get(catalog.library(each).ref(None)) is not None]
    named = [id] if id is not None else local or list(places)
    if len(named) != 1 or named[0] not in places:
        raise Invalid(
            f"Name the library of these docs with --library: {', '.join(places) or 'none is in this repository'}"
        )
    return catalog.library(named[0]), places[named[0]]


def _commit(repository: pygit2.Repository, name: str) -> pygit2.Oid:
    try:
        return repository.revparse_single(name).peel(pygit2.Commit).id
    except GIT_ERRORS as unknown:
        raise Invalid(f"{name} is no commit of this repository") from unknown


_STYLE = """body{font:1rem/1.6 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1c1b19}
h1,h2,h3{line-height:1.25}pre{overflow-x:auto;padding:.75rem;background:#8881}article{margin:2rem 0;padding-top:1rem;
border-top:1px solid #8886}ins{background:#d9f2de;text-decoration:none}del{background:#fbdedb}.path{color:#666}
.difference-added,.difference-removed{display:block;padding:.25rem 1rem;border-left:3px solid #1a7f37}
.difference-removed{border-color:#c62828}.sr-only{position:absolute;clip-path:inset(50%);width:1px;height:1px;
overflow:hidden}@media(prefers-color-scheme:dark){body{background:#141311;color:#eee}a{color:#9cf}
ins{background:#123f22;color:#eee}del{background:#4c1c19;color:#eee}.path{color:#aaa}}"""
_DOCUMENT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'">
<title>{title}</title><style>{style}</style></head><body><main>
<h1>{title}</h1>
<p class="path">{base} to {head}</p>
{findings}
{pages}
</main></body></html>
"""


def review_html(review: DocsReview) -> str:
    """The review as a file of its own, without scripts. Pictures of the docs are not in it."""
    listed = "".join(f"<li>{escape(fault.message)}</li>\n" for fault in review.findings)
    findings = f"<h2>New findings</h2>\n<ul>\n{listed}</ul>" if listed else "<p>No new findings.</p>"
    return _DOCUMENT.format(
        title=f"Review of the docs of {escape(review.library.name)}",
        style=_STYLE,
        base=review.base[:12],
        head=review.head[:12],
        findings=findings,
        pages="".join(map(_page_html, review.pages)) or "<p>No page differs.</p>",
    )


def _page_html(reviewed: ReviewedPage) -> str:
    page = reviewed.page
    path = escape(page.path if page.before is None else f"{page.path}, before at {page.before}")
    return (
        f'<article><h2>{escape(page.title)}</h2>\n<p class="path">{page.change}: {path}</p>\n'
        f"{reviewed.difference}</article>\n"
    )
