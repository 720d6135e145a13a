"""The notes of one release: from its code host, else from the changelogs of its packages, rendered.

    releases = store.read(repository.address, tags)
    numbers = package_numbers(release, packages, tags)
    found = find_notes(release, repository, releases=releases, changelogs=lambda: files.read(tree), numbers=numbers)
    notes = render_notes(found, markdown=markdown) if found else None
    notes.page.html(highlight)

`notes_of_release` does both. The body on the host takes precedence, because maintainers edit it; a body that only
refers to the changelog does not count. Notes of several packages are joined, each item once.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal
from urllib.parse import unquote, urlsplit

from kinfolk.config.catalog.releases import Release
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.markdown.processes.jobs import MarkdownFile
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.content.release_notes.changelog import ChangelogSection, cut_notes
from kinfolk.content.release_notes.changelog_files import PackageChangelog
from kinfolk.content.release_notes.grouped_notes import GroupedNotes, group_notes
from kinfolk.content.release_notes.hosts.release_client import HostRelease, ListedRepository
from kinfolk.content.release_notes.mention_links import MentionLinks
from kinfolk.content.release_notes.note_words import NotesKind, note_words
from kinfolk.runtime.errors import NotFound

LABELS: Mapping[NotesKind, str] = {
    "breaking": "Breaking changes",
    "added": "Added",
    "fixed": "Fixed",
    "other": "Other changes",
}
"""The headings of groups. Their ids are `breaking-changes`, `added`, `fixed` and `other-changes`."""
LONGEST_POINTER = 400
"""Characters of a text that only refers to the changelog."""
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")

ReadChangelogs = Callable[[], Sequence[PackageChangelog]]
"""Reads changelogs. It is called for a release without notes on its host only."""
SiteLink = Callable[[str], str | None]
"""An absolute address -> the address of the same page on this site; None for other addresses."""


@dataclass(frozen=True)
class FoundNotes:
    """The notes of a release before they are rendered. `url` is where they come from.

    `path` is that of the changelog. `title` is the name on the host, if it says
    more than the tag. `is_cut` says that only the beginning is here.
    """

    release: Release
    repository: ListedRepository
    source: Literal["host", "changelog"]
    grouped: GroupedNotes
    url: str
    path: str = ""
    title: str = ""
    day: date | None = None
    is_cut: bool = False

    @property
    def folder(self) -> str:
        """Where relative links start from."""
        return posixpath.dirname(self.path)


@dataclass(frozen=True)
class ReleaseNotes:
    """Rendered notes. `page` has the groups below headings of the second level if the text says what changes are."""

    found: FoundNotes
    page: MarkdownPage

    @property
    def counts(self) -> Mapping[NotesKind, int]:
        """The number of items of each group."""
        return self.found.grouped.counts


def notes_of_release(
    release: Release,
    repository: ListedRepository,
    *,
    releases: Mapping[str, HostRelease],
    changelogs: ReadChangelogs,
    numbers: Mapping[str, str],
    markdown: MarkdownRenderer,
    site_link: SiteLink = lambda _: None,
) -> ReleaseNotes | None:
    """The notes; None if there are none. The arguments are those of `find_notes` and `render_notes`. Blocks."""
    found = find_notes(release, repository, releases=releases, changelogs=changelogs, numbers=numbers)
    return None if found is None else render_notes(found, markdown=markdown, site_link=site_link)


def find_notes(
    release: Release,
    repository: ListedRepository,
    *,
    releases: Mapping[str, HostRelease],
    changelogs: ReadChangelogs,
    numbers: Mapping[str, str],
) -> FoundNotes | None:
    """The notes of a release; None if there are none.

    `releases` are those of the host by their tags: of the release's own tag, and then of other tags of its commit.
    `numbers` are those of its packages (`package_numbers`), whose changelogs are read in this order.
    """
    own = {release.tag: releases[release.tag]} if release.tag in releases else {}
    on_host = [one for one in {**own, **releases}.values() if one.body]
    written = next((one for one in on_host if not _is_pointer(one.body)), None)
    if written is None:
        return _in_changelogs(release, repository, changelogs(), numbers) or (
            _on_host(release, repository, on_host[0]) if on_host else None
        )
    return _on_host(release, repository, written)


def package_numbers(release: Release, packages: Iterable[tuple[str, str]], tags: Iterable[str] = ()) -> dict[str, str]:
    """The number that each package has in a release, the first package first.

    `packages` are pairs of framework and package, as `releases_of` takes them. `tags` are all tags of the release's
    commit: of those such as `@acme/query-core@5.28.4`, the packages follow.
    """
    main = release.number.rpartition("@")[2]
    numbers: dict[str, str] = {}
    for framework, package in packages:
        numbers.setdefault(package, release.numbers.get(framework, main))
    for tag in tags:
        package, _, number = tag.rpartition("@")
        if package and number:
            numbers.setdefault(package, number)
    return numbers


def render_notes(
    found: FoundNotes, *, markdown: MarkdownRenderer, site_link: SiteLink = lambda _: None
) -> ReleaseNotes:
    """The notes as a page, sanitized as pages of the docs are, with mentions linked to the code host. Blocks.

    Raises Unavailable when it cannot be rendered now.
    """
    release, repository = found.release, found.repository
    file = MarkdownFile(f"{repository.repo}@{release.tag}:release notes", notes_markdown(found), _no_ref_target)
    links = _RepositoryLinks(repository, release.tag, found.folder, site_link)
    page = markdown.page(file, links=lambda _: links)
    return ReleaseNotes(found, MentionLinks(repository.host, repository.repo).page(page))


def notes_markdown(found: FoundNotes) -> str:
    """The notes as one text, with front matter: a text could begin with front matter of its own."""
    grouped = found.grouped
    parts = [f"---\ntitle: {json.dumps(found.release.number)}\n---", grouped.intro]
    for group in grouped.groups:
        heading = f"## {LABELS[group.kind]}" if grouped.is_sorted else ""
        parts += (heading, group.text)
    return "\n\n".join(part for part in [*parts, grouped.outro] if part)


def _on_host(release: Release, repository: ListedRepository, found: HostRelease) -> FoundNotes:
    # Names such as "v5.28.4" and "@acme/query@5.28.4" repeat what the page says anyway.
    repeats = found.name in (found.tag, release.number, f"v{release.number}")
    return FoundNotes(
        release,
        repository,
        "host",
        group_notes(found.body),
        url=repository.host.release(repository.repo, found.tag),
        title="" if repeats else found.name,
        day=found.published_at.date(),
        is_cut=found.is_cut,
    )


def _in_changelogs(
    release: Release,
    repository: ListedRepository,
    changelogs: Sequence[PackageChangelog],
    numbers: Mapping[str, str],
) -> FoundNotes | None:
    # The changelog of a whole repository has the number of the release.
    all_numbers = {"": release.number.rpartition("@")[2], **numbers}
    ranks = {package: rank for rank, package in enumerate(all_numbers)}
    found: list[tuple[PackageChangelog, ChangelogSection]] = []
    for one in sorted(changelogs, key=lambda one: ranks.get(one.package, 0)):
        section = one.changelog.find(all_numbers[one.package]) if one.package in all_numbers else None
        if section is not None and section.text:
            found.append((one, section))
    if not found:
        return None
    path = found[0][0].path
    text, is_cut = cut_notes("\n\n".join(section.text for _, section in found))
    return FoundNotes(
        release,
        repository,
        "changelog",
        group_notes(text),
        url=repository.host.at_tag(repository.repo, release.tag, path),
        path=path,
        day=next((section.day for _, section in found if section.day), None),
        is_cut=is_cut or any(section.is_cut for _, section in found),
    )


def _is_pointer(body: str) -> bool:
    """Whether a text only refers to the changelog."""
    lower = body.lower()
    return len(body) <= LONGEST_POINTER and "\n- " not in body and any(word in lower for word in note_words().pointers)


def _no_ref_target(path: str) -> str:
    raise NotFound(f"Release notes are no other file: {path}")


@dataclass(frozen=True)
class _RepositoryLinks:
    """Resolves links of notes: relative ones lead to the repository as it was at the tag."""

    repository: ListedRepository
    tag: str
    folder: str
    site_link: SiteLink

    def link(self, href: str) -> tuple[str, bool]:
        """The href for the page, and whether it is broken."""
        if not href or href.startswith("#"):
            return href, False
        if _SCHEME.match(href):
            return self.site_link(href) or href, False
        path = self._path(href)
        host, repo = self.repository.host, self.repository.repo
        if path is None:
            return host.repository(repo), True
        _, mark, fragment = href.partition("#")
        return f"{host.at_tag(repo, self.tag, path)}{mark}{fragment}", False

    def image(self, src: str) -> str:
        """The address of the image at the tag; empty for one outside of the repository."""
        if _SCHEME.match(src):
            return src
        path = self._path(src)
        return "" if path is None else self.repository.host.raw_at_tag(self.repository.repo, self.tag, path)

    def _path(self, address: str) -> str | None:
        """The path in the repository; None for one outside of it."""
        try:
            written = unquote(urlsplit(address).path)
        except ValueError:
            return None
        path = posixpath.normpath(posixpath.join(self.folder, written) if not written.startswith("/") else written[1:])
        return None if path.startswith("..") or path in (".", "/") or "\0" in path else path
