"""Which pages were added, removed, moved and changed between two releases, from the git ids of their contents.

A page that is gone and a page that appears are one that moved if they have the same content, or most of it. The share
is that of git (`diffcore-rename`): characters of common lines, of the longer page. git itself cannot be used, because
the history of a repository is without the contents of files, which are read here for pages that may have moved only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kinfolk.content.changes.page_marks import PageTree

LEAST_SHARE = 0.5
"""The share of common lines from which on pages are alike, as in git."""
MOST_TEXTS = 2_000
"""Pages that are read: half of them removed, half added. Beyond, only pages with the same content have moved."""
MOST_CHARACTERS = 8_000_000
"""Characters of all pages that are read. The docs of Query 5.102 have one million."""
MOST_PAGES_OF_A_LINE = 8
"""A line that more removed pages have is no sign that a page has moved. It bounds the comparisons of each line."""

ReadPage = Callable[[str], str]
"""Path -> text. Raises NotFound or Unavailable."""
PageLines = Mapping[str, Counter[str]]
"""Path -> how often the page has each line."""


@dataclass(frozen=True, slots=True)
class MovedPage:
    """A page at another path than before."""

    old_path: str
    path: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class ChangedPages:
    """The pages that differ between two trees. All are sorted by path."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[MovedPage, ...] = ()
    changed: tuple[str, ...] = ()
    """Those that both trees have."""


def changed_pages(
    old: PageTree, new: PageTree, *, read_old: ReadPage | None = None, read_new: ReadPage | None = None
) -> ChangedPages:
    """The pages that differ. Without functions that read them, only pages with the same content have moved.

    Raises what the functions raise.
    """
    removed = [path for path in sorted(old) if path not in new]
    added = [path for path in sorted(new) if path not in old]
    moved = _with_same_content(old, new, removed, added)
    if read_old is not None and read_new is not None:
        sources = set(moved.values())
        left = [path for path in removed if path not in sources]
        candidates = [path for path in added if path not in moved]
        moved |= _with_similar_text(left, candidates, read_old, read_new)
    sources = set(moved.values())
    return ChangedPages(
        added=tuple(path for path in added if path not in moved),
        removed=tuple(path for path in removed if path not in sources),
        moved=tuple(
            MovedPage(source, path, is_changed=old[source] != new[path]) for path, source in sorted(moved.items())
        ),
        changed=tuple(path for path in sorted(new) if path in old and old[path] != new[path]),
    )


def _with_same_content(old: PageTree, new: PageTree, removed: Iterable[str], added: Iterable[str]) -> dict[str, str]:
    """New path -> old path. Of several pages with one content, those of one name belong together."""
    sources: dict[str, list[str]] = defaultdict(list)
    for path in removed:
        sources[old[path]].append(path)
    targets: dict[str, list[str]] = defaultdict(list)
    for path in added:
        if new[path] in sources:
            targets[new[path]].append(path)
    return {
        path: source for content, paths in targets.items() for source, path in _pairs_of_names(sources[content], paths)
    }


def _pairs_of_names(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of paths with one file name, then the others in their order."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for path in reversed(old):
        by_name[_name(path)].append(path)
    pairs = [(by_name[_name(path)].pop(), path) for path in new if by_name[_name(path)]]
    used = {path for pair in pairs for path in pair}
    rest = ([path for path in paths if path not in used] for paths in (old, new))
    return [*pairs, *zip(*rest, strict=False)]


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _with_similar_text(
    removed: Sequence[str], added: Sequence[str], read_old: ReadPage, read_new: ReadPage
) -> dict[str, str]:
    """New path -> old path, the most similar pairs first."""
    if not removed or not added or max(len(removed), len(added)) > MOST_TEXTS // 2:
        return {}
    old_lines = _lines_of(removed, read_old)
    new_lines = _lines_of(added, read_new) if old_lines else None
    if not old_lines or not new_lines:
        return {}
    sizes = {path: _size(lines) for path, lines in old_lines.items()}
    found = []
    for path, common in _common_sizes(old_lines, new_lines):
        size = _size(new_lines[path])
        shares = ((source, each / max(size, sizes[source])) for source, each in common.items())
        found += [
            (-share, _name(path) != _name(source), source, path) for source, share in shares if share >= LEAST_SHARE
        ]
    moved: dict[str, str] = {}
    used: set[str] = set()
    for _, _, source, path in sorted(found):
        if path not in moved and source not in used:
            moved[path] = source
            used.add(source)
    return moved


def _common_sizes(old_lines: PageLines, new_lines: PageLines) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Each new page, with the characters of the lines that it has in common with old pages."""
    pages_of: dict[str, list[str]] = defaultdict(list)
    for path, lines in old_lines.items():
        for line in lines:
            pages_of[line].append(path)
    for path, lines in new_lines.items():
        common: Counter[str] = Counter()
        for line, count in lines.items():
            sources = pages_of.get(line, ())
            for source in sources if len(sources) <= MOST_PAGES_OF_A_LINE else ():
                common[source] += len(line) * min(count, old_lines[source][line])
        yield path, common


def _lines_of(paths: Iterable[str], read: ReadPage) -> PageLines | None:
    """The lines of each page. None if they are too long together."""
    lines: dict[str, Counter[str]] = {}
    length = 0
    for path in paths:
        text = read(path)
        length += len(text)
        if length > MOST_CHARACTERS // 2:
            return None
        lines[path] = Counter(filter(None, map(str.strip, text.splitlines())))
    return lines


def _size(lines: Counter[str]) -> int:
    return sum(len(line) * count for line, count in lines.items())
