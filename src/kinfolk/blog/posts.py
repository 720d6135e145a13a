"""All posts of one folder, newest first, and what is new there since the last look."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import structlog

from kinfolk.blog.post import Post, file_of, read_post
from kinfolk.budget import BUDGETS
from kinfolk.errors import BadFact, NotFound
from kinfolk.markdown.colours import Colours, coloured
from kinfolk.markdown.page import Snippet
from kinfolk.markdown.renderer import MarkdownRenderer

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

TAG = "blog"
"""What every answer that was made of posts is marked with."""

LARGEST_POST = BUDGETS["markdown"].input_bytes

Texts = dict[str, str]
"""Files by their names."""


@dataclass(frozen=True)
class _Edition:
    """All posts at one moment, and the files they are made of."""

    texts: Texts
    posts: tuple[Post, ...]

    @cached_property
    def version(self) -> str:
        return hashlib.sha256(repr(sorted(self.texts.items())).encode(errors="replace")).hexdigest()[:12]


class Blog:
    """The posts that are current. Readers take what they need once; `refresh` exchanges all of them together.

    A post that is wrong costs itself only: it is left out, or stays as it was when it was good, and the log names it.
    """

    def __init__(
        self,
        folder: Path,
        libraries: Collection[str],
        *,
        drafts: bool = False,
        colours: Colours | None = None,
        markdown: MarkdownRenderer | None = None,
    ) -> None:
        self._folder = folder
        self._libraries = frozenset(libraries)
        self._drafts = drafts
        self._colours = colours
        self._markdown = markdown or MarkdownRenderer()
        self._stamps = _stamps(folder)
        self._edition = self._read(())

    @property
    def posts(self) -> tuple[Post, ...]:
        """What the site shows, newest first: drafts only where they are wanted."""
        return tuple(post for post in self._edition.posts if self._drafts or not post.is_draft)

    @property
    def published(self) -> tuple[Post, ...]:
        """What is told to the world, newest first: never a draft."""
        return tuple(post for post in self._edition.posts if not post.is_draft)

    @property
    def version(self) -> str:
        """Differs when any post does."""
        return self._edition.version

    def post(self, slug: str) -> Post:
        for post in self.posts:
            if post.slug == slug:
                return post
        raise NotFound("Post not found.")

    def around(self, slug: str) -> tuple[Post | None, Post | None]:
        """The posts before and after one in time."""
        posts = self.posts
        at = next((at for at, post in enumerate(posts) if post.slug == slug), None)
        if at is None:
            return None, None
        return (posts[at + 1] if at + 1 < len(posts) else None, posts[at - 1] if at else None)

    def html(self, post: Post, seen: set[str]) -> str:
        """The body. `seen` gets a tag where code is still plain."""
        return coloured(post.page, self._colours, seen)

    def section(self) -> tuple[str, Iterator[Snippet]]:
        """All code of the blog under a name that changes with it, to be highlighted before anybody asks for it."""
        edition = self._edition
        return f"{TAG} {edition.version}", (snippet for post in edition.posts for snippet in post.page.snippets)

    def refresh(self) -> frozenset[str]:
        """Look whether any file has changed, and return the tags that became stale. Blocks for as long as reading."""
        try:
            stamps = _stamps(self._folder)
            if stamps == self._stamps:
                return frozenset()
        except OSError as failure:  # the folder is not ours to read: the next look tells
            log.warning("blog not read again", reason=str(failure))
            return frozenset()
        self._stamps = stamps
        before = self._edition
        after = self._read(before.posts)
        if after.posts == before.posts:
            return frozenset()
        self._edition = after
        log.info("blog changed", posts=len(after.posts))
        return frozenset((TAG,))

    def _read(self, before: tuple[Post, ...]) -> _Edition:
        """What is right in the folder, and of what is wrong, or cannot be read, the post that was there `before`."""
        texts, faults = _texts(self._folder)
        posts, wrong = _posts(texts, self._libraries, self._markdown)
        old = {post.slug: post for post in before}
        stay = []
        for fault in (*faults, *wrong):
            slug = Path(fault.file).stem
            if slug in old and old[slug] not in stay:
                stay.append(old[slug])
            log.warning("post left out" if slug not in old else "post stays as it was", reason=fault.message)
        return _Edition(texts, _sorted((*posts, *stay)))


def read_posts(
    folder: Path, libraries: Collection[str], markdown: MarkdownRenderer | None = None
) -> tuple[tuple[Post, ...], tuple[BadFact, ...]]:
    """The posts of a folder that are right, newest first, and everything that is wrong with the others."""
    texts, unread = _texts(folder)
    posts, wrong = _posts(texts, libraries, markdown or MarkdownRenderer())
    return posts, (*unread, *wrong)


def _posts(
    texts: Texts, libraries: Collection[str], markdown: MarkdownRenderer
) -> tuple[tuple[Post, ...], tuple[BadFact, ...]]:
    faults: list[BadFact] = []
    read = (read_post(name, text, libraries, faults, markdown) for name, text in texts.items())
    return _sorted([post for post in read if post is not None]), tuple(faults)


def _sorted(posts: Iterable[Post]) -> tuple[Post, ...]:
    return tuple(sorted(posts, key=lambda post: (post.front.published, post.slug), reverse=True))


def _stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """What tells cheaply that nothing has changed."""
    found = {}
    for path in folder.glob("*.md"):
        with suppress(OSError):  # a file that goes while we look, or a link to nothing
            stat = path.stat()
            found[path.name] = stat.st_mtime_ns, stat.st_size
    return found


def _texts(folder: Path) -> tuple[Texts, list[BadFact]]:
    """The files of the folder, and those that cannot be read."""
    texts: Texts = {}
    faults = []
    for path in sorted(folder.glob("*.md")):
        try:
            if path.stat().st_size > LARGEST_POST:
                faults.append(BadFact(file_of(path.name), "", f"is larger than {LARGEST_POST} bytes"))
            else:
                texts[path.name] = path.read_text(encoding="utf-8", errors="replace")
        except OSError as failure:
            faults.append(BadFact(file_of(path.name), "", f"cannot be read: {failure.strerror}"))
    return texts, faults
