"""The invalid files of a site, with the lines to look at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from kinfolk.cli.check.content_check import with_local_paths
from kinfolk.content.blog import read_posts
from kinfolk.runtime.errors import InvalidFile, SiteError
from kinfolk.site.configuration_check import configuration_faults
from kinfolk.site.site import Site

BUILD_PROBLEMS = "problems.json"
"""The file in which `npm run dev` says what is wrong with the frontend."""
MOST_SHOWN = 100
_LINE = re.compile(r"\bline (\d+)")
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


@dataclass(frozen=True)
class Problem:
    """An invalid file. `line` is 0 where it is unknown."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.reason}" if place else self.reason

    def as_json(self) -> dict[str, object]:
        """The wire form."""
        return asdict(self)


def configuration_problems(site: Path, frontend: Path) -> list[Problem]:
    """What is wrong with the configuration. Blocks to read files."""
    return _problems(configuration_faults(site, frontend), site)


def build_problems(frontend: Path) -> list[Problem]:
    """Why the last build of the frontend by `npm run dev` failed. Blocks."""
    try:
        problems = orjson.loads((frontend / "ssr" / BUILD_PROBLEMS).read_bytes())
    except FileNotFoundError:
        return []
    return [Problem(**problem) for problem in problems]


def text_problems(site: Site) -> list[Problem]:
    """What is wrong with posts and pages. Blocks to render them."""
    folder = site.settings.site
    libraries = [library.id for library in site.catalog.libraries]
    _, faults = read_posts(folder / "blog", libraries, site.content.blog.markdown)
    return _problems([*faults, *_page_faults(site)], folder)


def _page_faults(site: Site) -> Iterator[InvalidFile]:
    for name in site.content.pages.names:
        try:
            site.content.pages.read(name)
        except InvalidFile as wrong:
            yield wrong


def content_problems(faults: Iterable[InvalidFile], site: Site) -> list[Problem]:
    """Faults of the content as problems, whose files are named from the folder of the site. Blocks to read files."""
    folder = site.settings.site
    return _problems((with_local_paths(fault, site.settings, site.catalog) for fault in faults), folder)


def most_important(problems: Iterable[Problem]) -> list[Problem]:
    """The problems to show, each once, and how many more there are."""
    found = list(dict.fromkeys(problems))
    more = len(found) - MOST_SHOWN
    return found if more <= 0 else [*found[:MOST_SHOWN], Problem("", 0, f"{more} more: `kinfolk check` lists all")]


def problem_of(failure: SiteError, site: Path) -> Problem:
    """An error that kept the site from opening."""
    if isinstance(failure, InvalidFile):
        return _problems([failure], site)[0]
    return Problem("", 0, failure.message)


def _problems(faults: Iterable[InvalidFile], site: Path) -> list[Problem]:
    return [Problem(fault.file, line_of_fault(fault, site), _reason(fault)) for fault in faults]


def _reason(fault: InvalidFile) -> str:
    return fault.reason if not fault.key or _LINE.fullmatch(fault.key) else f"{fault.key} {fault.reason}"


def line_of_fault(fault: InvalidFile, site: Path) -> int:
    """The line that the fault names, or that of its key; 0 if there is none."""
    named = _LINE.search(fault.key) or _LINE.search(fault.reason)
    if named:
        return int(named[1])
    try:
        text = (site / fault.file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return 0
    return line_of_key(text, fault.key) if fault.key else 0


def line_of_key(text: str, key: str) -> int:
    """The line of a key such as `versions[1].branch` in TOML, or of `title` in front matter; 0 if it is not found."""
    names = [name for name, _ in _STEP.findall(key) if name]
    index = next((int(index) for _, index in _STEP.findall(key) if index), None)
    if not names:
        return 0
    tables = {names[0], ".".join(names[:-1])} if len(names) > 1 else {""}
    table, seen, found = "", -1, 0
    for number, line in enumerate(text.splitlines(), 1):
        written = line.strip()
        if written.startswith("["):
            table = written.partition("]")[0].strip("[ ").replace('"', "")
            if table == names[0]:
                seen += 1
                found = number if seen == (index or 0) else found
        elif _key_of(written) == names[-1]:
            if table in tables and (index is None or seen == index):
                return number
        elif not found and _key_of(written) == names[0]:
            found = number
    return found


def _key_of(line: str) -> str:
    """The key that a line of TOML or of front matter sets."""
    end = min((at for at in (line.find("="), line.find(":")) if at >= 0), default=0)
    return line[:end].strip(' "')
