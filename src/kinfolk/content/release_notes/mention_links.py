"""Links what release notes mention as their code host does: `#123`, `owner/name#123`, `@name`, ids of commits.

Works on rendered pages, so that code and links stay as they are. Bare addresses of the host become as short as there:
`https://github.com/acme/query/pull/12` is shown as `#12`. Takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape, unescape

from kinfolk.config.code_hosts import CodeHost
from kinfolk.content.markdown.markdown_page import MarkdownPage
from kinfolk.content.release_notes.note_words import note_words

_IN_TAG = re.compile('[">]')
_TAG_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]{0,20})")
_HREF = re.compile(r' href="([^"]{1,500})"')
_OPAQUE = frozenset(("a", "code", "kbd", "math", "pre", "samp", "svg"))
"""Elements whose text stays as it is."""
_MENTION = re.compile(
    r"(?<![\w&/#.-])(?P<repo>[A-Za-z0-9][\w.-]{0,38}/[\w.-]{1,100})?(?:#(?P<issue>\d{1,7})|!(?P<merge>\d{1,7}))(?![\w-])"
    r"|(?<![\w&/@.-])@(?P<name>[A-Za-z0-9][A-Za-z0-9-]{0,38})(?![\w/@\[-]|\.\w)"
    r"|(?<![\w&/#@.=-])(?P<commit>[0-9a-f]{7,40})(?![\w/@-]|\.\w)"
)
_INSIDE = re.compile(
    r"(?:-/)?(?:(?:pull|pulls|issues|merge_requests)/(?P<number>\d{1,7})|commit/(?P<commit>[0-9a-f]{7,40})"
    r"|compare/(?P<compare>[^/?#\s]{3,200}))"
)
_REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]{0,38}/[\w.-]{1,100}")
_SHORT_COMMIT = 7


@dataclass(frozen=True)
class MentionLinks:
    """The code host and the repository that mentions refer to."""

    host: CodeHost
    repo: str

    def page(self, page: MarkdownPage) -> MarkdownPage:
        """The page with its mentions linked."""
        writer = _MentionWriter(self)
        # Code blocks stand between the chunks: an element may end in another chunk.
        return replace(page, chunks=tuple("".join(writer.write(chunk)) for chunk in page.chunks))

    def html(self, html: str) -> str:
        """Sanitized HTML with its mentions linked."""
        return "".join(_MentionWriter(self).write(html))

    def address(self, found: re.Match[str]) -> str | None:
        """The address of a mention; None for words that only look like one."""
        if name := found["name"]:
            return None if name.lower() in note_words().no_names or name.endswith("-") else self.host.profile(name)
        if commit := found["commit"]:
            # A number or a word is no id.
            return None if commit.isdigit() or commit.isalpha() else self.host.commit(self.repo, commit)
        repo = found["repo"] or self.repo
        if found["merge"]:
            return self.host.merge_request(repo, int(found["merge"]))
        return self.host.issue(repo, int(found["issue"]))

    def short(self, address: str) -> str | None:
        """What is shown of a bare address; None for an address that stays."""
        base = f"{self.host.base}/"
        if not address.startswith(base):
            return None
        repository = _REPOSITORY.match(address, len(base))
        inside = _INSIDE.fullmatch(address, repository.end() + 1) if repository else None
        if repository is None or inside is None or address[repository.end()] != "/":
            return None
        repo = "" if repository[0].lower() == self.repo.lower() else repository[0]
        if inside["number"]:
            return f"{repo}{'!' if 'merge_requests' in inside[0] else '#'}{inside['number']}"
        if inside["commit"]:
            return f"{repo}{'@' if repo else ''}{inside['commit'][:_SHORT_COMMIT]}"
        return inside["compare"]


class _MentionWriter:
    def __init__(self, links: MentionLinks) -> None:
        self._links = links
        self._opaque: list[str] = []
        self._href: str | None = None
        """The address of the link that the last tag opened."""

    def write(self, html: str) -> Iterator[str]:
        at = 0
        while at < len(html):
            if html[at] == "<":
                end = _tag_end(html, at)
                self._take_tag(html[at:end])
                yield html[at:end]
            else:
                end = html.find("<", at)
                end = len(html) if end < 0 else end
                yield self._text(html[at:end])
            at = end

    def _take_tag(self, tag: str) -> None:
        self._href = None
        found = _TAG_NAME.match(tag)
        name = found[1].lower() if found else ""
        if name not in _OPAQUE:
            return
        if not tag.startswith("</"):
            self._opaque.append(name)
            href = _HREF.search(tag) if name == "a" else None
            self._href = href[1] if href else None
        elif self._opaque and self._opaque[-1] == name:
            self._opaque.pop()

    def _text(self, text: str) -> str:
        href, self._href = self._href, None
        if self._opaque:
            short = self._links.short(unescape(text)) if text == href else None
            return escape(short) if short else text
        return _MENTION.sub(self._linked, text)

    def _linked(self, found: re.Match[str]) -> str:
        address = self._links.address(found)
        return f'<a href="{escape(address)}" rel="noopener">{found[0]}</a>' if address else found[0]


def _tag_end(html: str, start: int) -> int:
    """Where a tag ends. Values of attributes may contain `>`."""
    at = start
    while found := _IN_TAG.search(html, at):
        if found[0] == ">":
            return found.end()
        closing = html.find('"', found.end())
        if closing < 0:
            break
        at = closing + 1
    return len(html)
