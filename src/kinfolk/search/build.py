"""Making the index of the site: whole where there is none, else of the pages that are new.

Pages are made into records group by group, a group being one page in all frameworks: text that they share is one
record. A group is made again when what it was made of is another.
"""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import orjson
import structlog

import kinfolk
from kinfolk.blog import Post
from kinfolk.catalog import LATEST
from kinfolk.docs.library import Docs, framework_of
from kinfolk.docs.listing import Volume, volumes
from kinfolk.errors import SiteError, Unavailable
from kinfolk.markdown.front import parse_front, split_front
from kinfolk.search.document import FORM
from kinfolk.search.engine import TantivyIndex, copy_index
from kinfolk.search.publication import (
    Published,
    is_whole,
    making,
    own_copy,
    publish,
    published,
    rename_revisions,
)
from kinfolk.search.query import Record
from kinfolk.search.records import (
    Entry,
    Shelved,
    examples,
    group_name,
    landing,
    navigation,
    post_records,
    records,
    shelved,
)
from kinfolk.search.rules import SearchRules, Worth

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

GROUPS = "groups.json"
"""Beside the index: what each group was made of, and the ids of its records."""
_MAKERS = ("build", "document", "records", "sections", "tokens")
"""The modules of the search that decide what is in the index; the others only ask it."""
_LOCK = "lock"
_MOST_BORROWED = 2
"""Files that a page may borrow its text from, one by the other."""


Known: TypeAlias = dict[str, tuple[str, list[str]]]
"""Of each group, the digest of what it was made of, and the ids of its records."""


@dataclass(frozen=True)
class Group:
    """Records that are made together, and a digest of what they are made of."""

    name: str
    digest: str
    make: Callable[[], Iterable[Record]]


@dataclass(frozen=True)
class Words:
    """Everything of the site that can be searched, at one moment."""

    docs: Docs
    posts: Sequence[Post]
    rules: SearchRules

    @property
    def revisions(self) -> dict[str, str]:
        """Of each branch, and of the blog."""
        trees = self.docs.snapshot.trees
        posts = hashlib.blake2s(digest_size=8)
        for post in self.posts:
            posts.update(repr((post.slug, post.title, post.page.text)).encode(errors="replace"))
        return {**{str(ref): trees[ref].revision for ref in sorted(trees)}, "blog": posts.hexdigest()}

    @property
    def form(self) -> str:
        """Differs when the same pages would be found differently: by another code, other rules, other facts."""
        catalog = self.docs.catalog
        facts = repr((self.rules, catalog.libraries, catalog.frameworks)).encode()
        return hashlib.blake2s(facts + _code(), digest_size=8).hexdigest()


def _code() -> bytes:
    """A digest of the code that makes records, so that a new release of it makes them again."""
    root = Path(kinfolk.__file__).parent
    digest = hashlib.blake2s()
    makers = (root / "search" / f"{name}.py" for name in _MAKERS)
    for path in (*sorted((root / "markdown").glob("*.py")), *sorted((root / "docs").glob("*.py")), *makers):
        digest.update(path.read_bytes())
    return digest.digest()


def is_current(folder: Path, words: Words) -> bool:
    """Whether there is nothing to do."""
    one = published(folder)
    return one is not None and one.form == words.form and one.revisions == words.revisions and is_whole(folder, one)


@contextmanager
def only_builder(folder: Path) -> Iterator[None]:
    """Blocks until no other process is building. The lock of one that was killed is gone with it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@dataclass(frozen=True)
class Watch:
    """Who wants to know how far it is: told how many groups there are to make, then of each."""

    on_start: Callable[[int], None] = lambda _: None
    on_group: Callable[[], None] = lambda: None


UNSEEN = Watch()


def build(folder: Path, words: Words, watch: Watch = UNSEEN) -> Published:
    """Make the index what the words are, and publish it. What was good before stays so until then.

    To be called by the `only_builder`.
    """
    one = published(folder)
    if one is not None and is_current(folder, words):
        return one
    wanted = {group.name: group for group in groups(words)}
    if one is not None and one.form == words.form:
        try:
            return _renewed(folder, words, one, wanted, watch)
        except Unavailable as damaged:
            log.warning("search index made anew", reason=damaged.message)
    watch.on_start(len(wanted))
    with making(folder) as place:
        known: Known = {}
        made = _made(wanted.values(), known, watch)
        TantivyIndex.create(place, words.rules.settings, made)
        return _publish(folder, place, words, known)


def _renewed(folder: Path, words: Words, one: Published, wanted: Mapping[str, Group], watch: Watch) -> Published:
    """The good generation with only those groups made again that are others now. Raises Unavailable for a bad one."""
    with own_copy(folder) as (_, copy), making(folder) as place:
        known: Known = orjson.loads((copy / GROUPS).read_bytes())
        stale = [group for name, group in wanted.items() if known.get(name, ("", []))[0] != group.digest]
        gone = [name for name in known if name not in wanted]
        if not stale and not gone:
            return rename_revisions(folder, one, words.revisions)
        watch.on_start(len(stale))
        copy_index(copy, place)
        (place / GROUPS).unlink()
        old = {id for name in (*gone, *(group.name for group in stale)) for id in known.pop(name, ("", []))[1]}
        fresh = list(_made(stale, known, watch))
        index = TantivyIndex(place, words.rules.settings)
        index.write(fresh, old - {str(record["objectID"]) for record in fresh})
        return _publish(folder, place, words, known)


def _made(several: Iterable[Group], known: Known, watch: Watch) -> Iterator[Record]:
    for group in several:
        made = list(group.make())
        known[group.name] = (group.digest, [str(record["objectID"]) for record in made])
        yield from made
        watch.on_group()


def _publish(folder: Path, place: Path, words: Words, known: Known) -> Published:
    (place / GROUPS).write_bytes(orjson.dumps(known))
    return publish(folder, place, form=words.form, schema=FORM, revisions=words.revisions)


def groups(words: Words) -> Iterator[Group]:
    """Everything there is to search, the latest versions first."""
    worth = words.rules.worth
    for volume in sorted(volumes(words.docs), key=lambda volume: volume.segment != LATEST):
        yield from _pages(volume, worth)
        yield from _examples(volume, worth)
    for post in words.posts:
        made_of = (post.title, post.front, post.page.text)
        yield Group(f"blog:{post.slug}", _digest(made_of), partial(post_records, post, worth))
    for library in words.docs.catalog.libraries:
        yield Group(f"landing:{library.id}", "", partial(landing, library, worth))


def _pages(volume: Volume, worth: Worth) -> Iterator[Group]:
    entries = navigation(volume)
    several: dict[str, dict[str, str]] = {}
    for inside, path in volume.pages().items():
        several.setdefault(group_name(volume.library, volume.segment, inside), {})[inside] = path
    for name, pages in several.items():
        made_of = [(inside, entries.get(inside), _sources(volume, path)) for inside, path in pages.items()]
        yield Group(name, _digest(made_of), partial(_records_of, volume, pages, entries, worth))


def _examples(volume: Volume, worth: Worth) -> Iterator[Group]:
    several: dict[str, list[Shelved]] = {}
    for example in examples(volume, worth, navigation(volume)):
        several.setdefault(example.group, []).append(example)
    for name, pages in several.items():
        made_of = [(page.inside, page.title, page.section) for page in pages]
        yield Group(name, _digest(made_of), partial(records, pages, volume.docs.catalog))


def _records_of(
    volume: Volume, pages: Mapping[str, str], entries: Mapping[str, Entry], worth: Worth
) -> Iterator[Record]:
    found = []
    for inside, path in pages.items():
        try:
            source, _ = volume.docs.shelf(volume.ref).source(path)
            page = volume.docs.markdown.page(source, framework=framework_of(volume.library, path))
        except Unavailable:
            raise  # a copy that repairs itself: the index stays as it was until then
        except SiteError as wrong:  # it borrows from a page that is gone, say
            log.info("page left out", ref=str(volume.ref), path=path, reason=wrong.message)
            continue
        found.append(shelved(volume, inside, path, page, worth=worth, entry=entries.get(inside)))
    return records(found, volume.docs.catalog)


def _sources(volume: Volume, path: str) -> list[str | None]:
    """The blobs that a page's text comes from: its own, and those of the pages it borrows from."""
    files = volume.docs.shelf(volume.ref).files
    found = [files.get(path)]
    for _ in range(_MOST_BORROWED):
        text = _read(volume, path)
        ref = parse_front(split_front(text)[0]).ref if "\nref:" in text else None
        if ref is None or ref.lstrip("/") not in files:
            break
        path = ref.lstrip("/")
        found.append(files[path])
    return found


def _read(volume: Volume, path: str) -> str:
    return volume.docs.shelf(volume.ref).tree.read(path).decode(errors="replace")


def _digest(made_of: object) -> str:
    return hashlib.blake2s(repr(made_of).encode(errors="replace"), digest_size=12).hexdigest()
