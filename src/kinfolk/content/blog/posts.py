"""The posts of one folder, newest first, and the changes since the last refresh."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import structlog

from kinfolk.content.blog.post import BlogPost, display_path, read_post
from kinfolk.content.dependencies import BLOG, BLOG_EXISTS, Dependency, DependencyRecorder
from kinfolk.content.markdown.code.highlighting import CodeHighlighter, highlighted_body
from kinfolk.content.markdown.markdown_page import CodeBlock
from kinfolk.content.markdown.processes.plain_text_fallback import MarkdownRenderer
from kinfolk.runtime.budget import BUDGETS
from kinfolk.runtime.errors import InvalidFile, NotFound, SiteError

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

LARGEST_POST = BUDGETS["markdown"].input_bytes

Texts = dict[str, str]
"""Texts of files by name."""


@dataclass(frozen=True)
class _BlogSnapshot:
    """All posts at one time, and the texts of their files."""

    texts: Texts
    posts: tuple[BlogPost, ...]

    @cached_property
    def version(self) -> str:
        return hashlib.sha256(repr(sorted(self.texts.items())).encode(errors="replace")).hexdigest()[:12]


class Blog:
    """The current posts. `refresh` replaces them in one assignment.

    An invalid post does not affect others: its last valid version stays, or it is left out, and the log names it.
    Posts are rendered when a reader first requests them, or by the next `refresh`.
    """

    def __init__(
        self,
        folder: Path,
        libraries: Collection[str],
        *,
        drafts: bool = False,
        highlighter: CodeHighlighter | None = None,
        markdown: MarkdownRenderer | None = None,
    ) -> None:
        self._folder = folder
        self._libraries = frozenset(libraries)
        self._drafts = drafts
        self._highlighter = highlighter
        self._markdown = markdown or MarkdownRenderer()
        self._stamps = _stamps(folder)
        self._release = self._read(())

    @property
    def markdown(self) -> MarkdownRenderer:
        return self._markdown

    @property
    def posts(self) -> tuple[BlogPost, ...]:
        """The posts that the site shows, newest first. Includes drafts if they are enabled."""
        return tuple(post for post in self._release.posts if self._drafts or not post.is_draft)

    @property
    def published(self) -> tuple[BlogPost, ...]:
        """The published posts, newest first, for feeds and the search. Never includes drafts."""
        return tuple(post for post in self._release.posts if not post.is_draft)

    @property
    def exists(self) -> bool:
        """Whether the site shows any post."""
        return bool(self.posts)

    @property
    def version(self) -> str:
        """Changes when any post changes."""
        return self._release.version

    def post(self, slug: str) -> BlogPost:
        for post in self.posts:
            if post.slug == slug:
                return post
        raise NotFound("Post not found.")

    def around(self, slug: str) -> tuple[BlogPost | None, BlogPost | None]:
        """The previous and the next post by date."""
        posts = self.posts
        at = next((at for at, post in enumerate(posts) if post.slug == slug), None)
        if at is None:
            return None, None
        return (posts[at + 1] if at + 1 < len(posts) else None, posts[at - 1] if at else None)

    def html(self, post: BlogPost, recorder: DependencyRecorder) -> str:
        """The body. Code that is not highlighted yet becomes a dependency."""
        return highlighted_body(post.page, self._highlighter, recorder)

    def section(self) -> tuple[str, Iterator[CodeBlock]]:
        """All code blocks of the blog, for highlighting in advance, with a name that changes when they do."""
        release = self._release
        return f"{BLOG.name} {release.version}", (
            snippet for post in release.posts for snippet in post.page.code_blocks
        )

    def refresh(self) -> frozenset[Dependency]:
        """Read the files again if any of them has changed, and return the stale dependencies.

        Renders the posts before readers request them. Blocks.
        """
        try:
            stamps = _stamps(self._folder)
            if stamps == self._stamps:
                _prerender(self._release.posts)
                return frozenset()
        except OSError as failure:  # the folder is unreadable: the next refresh tries again
            log.warning("blog not read again", reason=str(failure))
            return frozenset()
        self._stamps = stamps
        before = self._release
        after = self._read(before.posts)
        _prerender(after.posts)
        if after.posts == before.posts:
            return frozenset()
        existed = self.exists
        self._release = after
        log.info("blog changed", posts=len(after.posts))
        return frozenset((BLOG,) if self.exists is existed else (BLOG, BLOG_EXISTS))

    def _read(self, before: tuple[BlogPost, ...]) -> _BlogSnapshot:
        """The valid posts of the folder, and of invalid or unreadable files the post in `before`.

        An unchanged post is the same object, which may be rendered already.
        """
        texts, faults = _texts(self._folder)
        posts, wrong = _posts(texts, self._libraries, self._markdown)
        old = {post.slug: post for post in before}
        retained = []
        for fault in (*faults, *wrong):
            slug = Path(fault.file).stem
            if slug in old and old[slug] not in retained:
                retained.append(old[slug])
            log.warning("post left out" if slug not in old else "post stays as it was", reason=fault.message)
        current = (old[post.slug] if old.get(post.slug) == post else post for post in posts)
        return _BlogSnapshot(texts, _sorted((*current, *retained)))


def read_posts(
    folder: Path, libraries: Collection[str], markdown: MarkdownRenderer | None = None
) -> tuple[tuple[BlogPost, ...], tuple[InvalidFile, ...]]:
    """The valid posts of a folder, rendered, newest first, and the errors of the others."""
    texts, unread = _texts(folder)
    posts, wrong = _posts(texts, libraries, markdown or MarkdownRenderer())
    failed = _render(posts)
    return tuple(post for post in posts if post.slug not in failed), (*unread, *wrong, *failed.values())


def _prerender(posts: Iterable[BlogPost]) -> None:
    for fault in _render(posts).values():
        log.warning("post not rendered", reason=fault.message)


def _render(posts: Iterable[BlogPost]) -> dict[str, InvalidFile]:
    """Render what is not rendered yet. Returns the errors of posts that cannot be rendered, by slug."""
    failed = {}
    for post in posts:
        try:
            _ = post.page, post.exported
        except SiteError as wrong:
            failed[post.slug] = InvalidFile(post.source.name, "", wrong.message)
    return failed


def _posts(
    texts: Texts, libraries: Collection[str], markdown: MarkdownRenderer
) -> tuple[tuple[BlogPost, ...], tuple[InvalidFile, ...]]:
    faults: list[InvalidFile] = []
    read = (read_post(name, text, libraries, faults, markdown) for name, text in texts.items())
    return _sorted([post for post in read if post is not None]), tuple(faults)


def _sorted(posts: Iterable[BlogPost]) -> tuple[BlogPost, ...]:
    return tuple(sorted(posts, key=lambda post: (post.front.published, post.slug), reverse=True))


def _stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Modification time and size of each file, to detect changes without reading."""
    found = {}
    for path in folder.glob("*.md"):
        with suppress(OSError):  # a file that was just deleted, or a dangling link
            stat = path.stat()
            found[path.name] = stat.st_mtime_ns, stat.st_size
    return found


def _texts(folder: Path) -> tuple[Texts, list[InvalidFile]]:
    """The texts of the folder, and the errors of unreadable files."""
    texts: Texts = {}
    faults = []
    for path in sorted(folder.glob("*.md")):
        try:
            if path.stat().st_size > LARGEST_POST:
                faults.append(InvalidFile(display_path(path.name), "", f"is larger than {LARGEST_POST} bytes"))
            else:
                texts[path.name] = path.read_text(encoding="utf-8", errors="replace")
        except OSError as failure:
            faults.append(InvalidFile(display_path(path.name), "", f"cannot be read: {failure.strerror}"))
    return texts, faults
