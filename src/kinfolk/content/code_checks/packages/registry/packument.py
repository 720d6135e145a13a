"""What a registry knows about a package: its versions, what they depend on, and where their tarballs are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Annotated, overload

import orjson
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from kinfolk.content.code_checks.packages.registry.version_ranges import VersionNumber, VersionRange, parse_version
from kinfolk.runtime.errors import SiteError

MOST_PRERELEASES = 300
"""Pre-releases of a package that are read, the highest. That of react has 2,800 daily ones."""
MOST_DEPENDENCIES = 500
"""Entries of each kind that are read of a version."""
LONGEST_RANGE = 200
_STABLE = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
_PRERELEASE = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})-([0-9A-Za-z.-]{1,60})")
_HASHES = ("sha512", "sha384", "sha256", "sha1")
"""Algorithms of `integrity`, the strongest first."""


def size_text(size: int) -> str:
    """`16 MB` of a number of bytes, in messages."""
    kilobyte, megabyte = 1 << 10, 1 << 20
    if size >= megabyte:
        return f"{size / megabyte:g} MB"
    return f"{size / kilobyte:g} kB" if size >= kilobyte else f"{size} bytes"


class UnusablePackage(SiteError):
    """A package that is not used: it is invalid, or larger than a limit. Another request does not change that."""

    code = "unusable_package"


@dataclass(frozen=True)
class PublishedVersion:
    """A version of a package. `integrity` is that of its tarball: an algorithm, a hyphen and the digest in base64.

    `hex_digest` is its SHA-1, for old packages without `integrity`. A version of the repository has no tarball.
    """

    name: str
    version: str
    tarball: str = ""
    integrity: str = ""
    hex_digest: str = ""
    dependencies: Mapping[str, str] = field(default_factory=dict)
    peers: Mapping[str, str] = field(default_factory=dict)
    optional_peers: frozenset[str] = frozenset()

    @property
    def ranges(self) -> Mapping[str, str]:
        """The packages that it names -> their ranges."""
        return {**self.peers, **self.dependencies}


class _Dist(BaseModel):
    tarball: Annotated[str, Field(max_length=2000)] = ""
    integrity: Annotated[str, Field(max_length=2000)] = ""
    shasum: Annotated[str, Field(max_length=40)] = ""


class _PeerNote(BaseModel):
    optional: bool = False


class Manifest(BaseModel):
    """What is read of a `package.json` about dependencies. Registries copy it into packuments."""

    dependencies: dict[str, str] = {}
    peerDependencies: dict[str, str] = {}  # noqa: N815 - npm's names
    optionalDependencies: dict[str, str] = {}  # noqa: N815
    peerDependenciesMeta: dict[str, _PeerNote] = {}  # noqa: N815
    dist: _Dist = _Dist()

    def published(self, name: str, version: str) -> PublishedVersion:
        return PublishedVersion(
            name,
            version,
            tarball=self.dist.tarball,
            integrity=_strongest(self.dist.integrity),
            hex_digest=self.dist.shasum,
            dependencies=_bounded({**self.optionalDependencies, **self.dependencies}),
            peers=_bounded(self.peerDependencies),
            optional_peers=frozenset(name for name, note in self.peerDependenciesMeta.items() if note.optional),
        )


_MANIFEST = TypeAdapter(Manifest)
_FIELDS = tuple(Manifest.model_fields)


def read_manifest(content: bytes | object) -> Manifest | None:
    """The manifest in JSON or in parsed JSON; None if it is invalid."""
    try:
        return _MANIFEST.validate_json(content) if isinstance(content, bytes) else _MANIFEST.validate_python(content)
    except ValidationError:
        return None


class Packument:
    """The versions of one package. Versions are stored as JSON, because most of them are never read."""

    def __init__(self, name: str, tags: Mapping[str, str], versions: Mapping[str, bytes]) -> None:
        self.name = name
        self.tags = tags
        self._versions = versions

    @classmethod
    def parse(cls, name: str, body: bytes) -> Packument:
        """Raises UnusablePackage for an answer that is no packument."""
        try:
            found = orjson.loads(body)
            versions, tags = found["versions"], found["dist-tags"]
            return cls(
                name,
                {str(tag): str(version) for tag, version in tags.items()},
                {
                    version: _stored(versions[version])
                    for version in _read_versions(versions, tags)
                    if isinstance(versions[version], dict)
                },
            )
        except (ValueError, KeyError, TypeError, AttributeError) as wrong:
            raise UnusablePackage(f"The registry's answer about {name} is no list of versions") from wrong

    @classmethod
    def of_one(cls, version: PublishedVersion) -> Packument:
        """The packument of a package that is read from a repository."""
        facts = {
            "dependencies": dict(version.dependencies),
            "peerDependencies": dict(version.peers),
            "peerDependenciesMeta": {name: {"optional": True} for name in version.optional_peers},
        }
        return cls(version.name, {"latest": version.version}, {version.version: orjson.dumps(facts)})

    @property
    def size(self) -> int:
        """Bytes of what is stored about all versions."""
        return sum(map(len, self._versions.values()))

    def version(self, version: str) -> PublishedVersion | None:
        """A version by its exact number; None if there is none, or if what is said about it is invalid."""
        stored = self._versions.get(version)
        manifest = read_manifest(stored) if stored is not None else None
        return manifest.published(self.name, version) if manifest is not None else None

    @cached_property
    def stable(self) -> Sequence[str]:
        """The versions without pre-releases, the highest first."""
        return sorted(filter(_STABLE.fullmatch, self._versions), key=_order, reverse=True)

    @cached_property
    def prereleases(self) -> Sequence[str]:
        """The pre-releases, the highest first."""
        return sorted(filter(_PRERELEASE.fullmatch, self._versions), key=_order, reverse=True)

    @property
    def latest(self) -> str | None:
        """What the registry calls the latest version; without that, the highest stable one."""
        tagged = self.tags.get("latest", "")
        return tagged if tagged in self._versions else next(iter((*self.stable, *self.prereleases)), None)

    def newest_of_major(self, major: int) -> str | None:
        """The highest stable version of a major; of one without any, its highest pre-release."""
        start = f"{major}."
        return next((each for each in (*self.stable, *self.prereleases) if each.startswith(start)), None)

    def newest_in(self, text: str, *, stable_only: bool = False) -> str | None:
        """The version that npm installs for a range: the latest one, if it is in it, else the highest stable one.

        For a tag its version; for a range without a stable one the highest pre-release.
        """
        if text in self._versions:
            return text
        if text in self.tags:
            return self.tags[text] if self.tags[text] in self._versions else None
        wanted = parse_range(text)
        if wanted is None:
            return None
        latest = [version for version in self.stable if version == self.latest]
        for listed in (latest, self.stable, () if stable_only else self.prereleases):
            at = wanted.highest(_Numbers(listed))
            if at is not None:
                return listed[at]
        return None

    def newest_with(self, placed: Mapping[str, str], *, most: int = 1500) -> str | None:
        """The latest version, if its ranges of placed packages allow their majors, else the highest with such ranges.

        Of a package without any such version, the latest one. `most` versions are compared.
        """
        for version in (self.latest, *self.stable, *self.prereleases)[:most]:
            found = self.version(version or "")
            if found and all(allows_major(placed[name], text) for name, text in found.ranges.items() if name in placed):
                return version
        return self.latest


def _read_versions(versions: Mapping[str, object], tags: Mapping[str, str]) -> Iterator[str]:
    yield from filter(_STABLE.fullmatch, versions)
    prereleases = sorted(filter(_PRERELEASE.fullmatch, versions), key=_order, reverse=True)
    tagged = set(tags.values()).intersection(prereleases[MOST_PRERELEASES:])
    yield from (*prereleases[:MOST_PRERELEASES], *tagged)


def _stored(facts: Mapping[str, object]) -> bytes:
    return orjson.dumps({key: facts[key] for key in _FIELDS if key in facts})


@lru_cache(2000)
def parse_range(text: str) -> VersionRange | None:
    """A range of npm; None for what is none, such as a tag or the address of a repository."""
    return VersionRange.parse(text) if len(text) <= LONGEST_RANGE else None


@lru_cache(4000)
def satisfies(version: str, text: str) -> bool:
    """Whether a version is in a range. What is no range, such as `workspace:*`, allows all."""
    wanted, number = parse_range(text), parse_version(version)
    return wanted is None or number is None or wanted.highest([number]) is not None


@lru_cache(4000)
def allows_major(version: str, text: str) -> bool:
    """Whether a range allows any version with the major of this one. What is no range allows all."""
    wanted, number = parse_range(text), parse_version(version)
    return wanted is None or number is None or wanted.highest_major([number.major]) is not None


class _Numbers(Sequence[VersionNumber]):
    """Versions that are parsed when they are compared."""

    def __init__(self, versions: Sequence[str]) -> None:
        self._versions = versions

    @overload
    def __getitem__(self, at: int) -> VersionNumber: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[VersionNumber]: ...
    def __getitem__(self, at: int | slice) -> VersionNumber | Sequence[VersionNumber]:
        if isinstance(at, slice):
            return _Numbers(self._versions[at])
        number = parse_version(self._versions[at])
        if number is None:
            raise ValueError(f"{self._versions[at]} is no version")
        return number

    def __len__(self) -> int:
        return len(self._versions)


def _order(version: str) -> tuple[int, int, int, bool, tuple[tuple[bool, int, str], ...]]:
    """The precedence of Semantic Versioning: numbers before words, both before the release."""
    core, _, marks = version.partition("-")
    major, minor, patch = map(int, core.split("."))
    parts = tuple((not mark.isdigit(), int(mark) if mark.isdigit() else 0, mark) for mark in marks.split("."))
    return major, minor, patch, not marks, parts


def _bounded(ranges: Mapping[str, str]) -> Mapping[str, str]:
    return dict(list(ranges.items())[:MOST_DEPENDENCIES])


def _strongest(integrity: str) -> str:
    """The strongest of several hashes, without the options that may follow it."""
    hashes = [each.partition("?")[0] for each in integrity.split()]
    return next((each for kind in _HASHES for each in hashes if each.startswith(f"{kind}-")), "")
