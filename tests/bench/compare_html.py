"""Compares every response of two versions of the site: the pages of the corpus, and the bundled docs with examples.

    python tests/bench/compare_html.py dump --source CHECKOUT --content CORPUS FOLDER
    python tests/bench/compare_html.py compare FOLDER FOLDER [--ignore KIND] [--rename-classes FILE] …

`dump` serves the code of any checkout with its built frontend, follows all links, waits until code is highlighted,
and stores status, headers and body of each response. `compare` normalizes names of assets and values derived from them,
groups the differences by kind, and exits with 1 when there is any.
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
for folder in (ROOT, Path(__file__).parent):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from tests.bench.html_tokens import IGNORABLE, Rules, signature  # noqa: E402 - found through the lines above
from tests.bench.responses import ORIGIN, Crawl, open_dump, seed_requests  # noqa: E402
from tests.faults.site import Site  # noqa: E402

READY_S = 300.0
MODIFIED_S = 1_790_000_000.0
ENVIRONMENT = {
    "KINFOLK_ORIGIN": ORIGIN,
    "KINFOLK_SECRET": "secret of compare_html.py, on loopback",
    "KINFOLK_REFRESH_S": "0",
    "KINFOLK_MEMORY_MB": "512",
}
SHOWN_GROUPS = 30
SHOWN_NAMES = 3

Response = tuple[int, str, bytes]


def main() -> int:
    parser = argparse.ArgumentParser(prog="compare_html.py", description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    dump = commands.add_parser("dump", help="fetch and store every response of a checkout")
    dump.add_argument("--source", type=Path, default=ROOT, help="checkout whose code is served (this one by default)")
    dump.add_argument(
        "--content", type=Path, default=os.environ.get("KINFOLK_CORPUS"), help="the corpus (KINFOLK_CORPUS)"
    )
    dump.add_argument("folder", type=Path, help="where the responses are stored")
    compare = commands.add_parser("compare", help="print what differs between two dumps")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    kinds = "; ".join(f"{name}: {what}" for name, what in IGNORABLE.items())
    compare.add_argument("--ignore", action="append", default=[], choices=IGNORABLE, metavar="KIND", help=kinds)
    compare.add_argument("--ignore-attribute", action="append", default=[], metavar="NAME", help="of HTML elements")
    compare.add_argument("--rename-classes", type=Path, help="file with lines `old new` of CSS classes")
    compare.add_argument("--groups", type=int, default=SHOWN_GROUPS, help="how many kinds of differences are shown")
    given = parser.parse_args()
    if given.command == "dump":
        return dump_site(given.source.resolve(), given.content, given.folder)
    attributes = frozenset(given.ignore_attribute)
    rules = Rules(frozenset(given.ignore), _renamed_classes(given.rename_classes), attributes)
    return compare_dumps(given.before, given.after, rules, given.groups)


def dump_site(source: Path, corpus: Path | None, folder: Path) -> int:
    """Serve the checkout on the corpus, then on its bundled docs, and store every response."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {"bundled": source / "sites/tanstack/repos"} | ({} if corpus is None else {"corpus": Path(corpus)})
    for name, original in contents.items():
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="kinfolk-html-") as scratch:
            site = Site(source, Path(scratch))
            content = _dated_copy(original, Path(scratch) / "content")
            with (
                site.serving("--content", str(content), environment=ENVIRONMENT) as server,
                closing(open_dump(folder / f"{name}.sqlite", new=True)) as database,
            ):
                _wait_until_ready(server.url)
                crawl = Crawl(server.url, database, lambda line: print(line, flush=True))
                count = asyncio.run(crawl.run(seed_requests(source, content)))
        print(f"{name}: {count} responses in {time.monotonic() - began:.0f} s", flush=True)
    return 0


def _dated_copy(content: Path, copy: Path) -> Path:
    """A copy whose files all have the same modification time, which sitemaps show."""
    shutil.copytree(content, copy)
    for file in copy.rglob("*"):
        os.utime(file, (MODIFIED_S, MODIFIED_S))
    return copy


def _wait_until_ready(url: str) -> None:
    deadline = time.monotonic() + READY_S
    while httpx.get(f"{url}/readyz").status_code != httpx.codes.OK:
        if time.monotonic() > deadline:
            raise RuntimeError("the site is not ready: see /readyz")
        time.sleep(0.2)


def compare_dumps(before: Path, after: Path, rules: Rules, groups: int) -> int:
    """Print the differences. Returns the exit status."""
    total = 0
    names = sorted(file.name for file in before.glob("*.sqlite"))
    for name in names:
        with closing(open_dump(before / name)) as old, closing(open_dump(after / name)) as new:
            total += _compare(name.removesuffix(".sqlite"), old, new, rules, groups)
    return 1 if total else 0


def _compare(name: str, old: sqlite3.Connection, new: sqlite3.Connection, rules: Rules, groups: int) -> int:
    found: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    example: dict[tuple[str, str], list[str]] = {}
    differing = responses = 0
    for address, one, other in _pairs(old, new):
        if "functions" in rules.ignored and address.startswith(("GET /_server/", "GET /_shared/")):
            continue
        responses += 1
        hunks = list(_hunks(one, other, rules))
        differing += bool(hunks)
        for removed, added in hunks:
            key = signature(removed, added)
            found[key].append(address)
            example.setdefault(key, [f"- {line[:400]}" for line in removed] + [f"+ {line[:400]}" for line in added])
    print(f"{name}: {differing} of {responses} responses differ, in {len(found)} ways")
    for key in sorted(found, key=lambda key: -len(set(found[key])))[:groups]:
        addresses = list(dict.fromkeys(found[key]))
        print(
            f"\n== {len(found[key])} times on {len(addresses)} addresses, such as {', '.join(addresses[:SHOWN_NAMES])}"
        )
        print("\n".join(example[key][:16]))
    return differing


def _pairs(old: sqlite3.Connection, new: sqlite3.Connection) -> Iterator[tuple[str, Response | None, Response | None]]:
    names = {name for database in (old, new) for (name,) in database.execute("SELECT name FROM response")}
    for name in sorted(names):
        yield name, _response(old, name), _response(new, name)


def _response(database: sqlite3.Connection, name: str) -> Response | None:
    row: Response | None = database.execute(
        "SELECT status, headers, body FROM response WHERE name = ?", (name,)
    ).fetchone()
    return row


def _hunks(one: Response | None, other: Response | None, rules: Rules) -> Iterator[tuple[list[str], list[str]]]:
    """The differing runs of lines: removed lines and added lines."""
    if one == other:
        return
    old, new = (_lines(response, rules) for response in (one, other))
    start = next((at for at, (left, right) in enumerate(zip(old, new, strict=False)) if left != right), None)
    if start is None and len(old) == len(new):
        return
    old, new = old[start:], new[start:]
    # Without junk the matcher takes quadratic time: lines such as "}" occur hundreds of times.
    for change, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=True).get_opcodes():
        if change != "equal":
            yield old[i1:i2], new[j1:j2]


def _lines(response: Response | None, rules: Rules) -> list[str]:
    if response is None:
        return ["no such address"]
    status, headers, body = response
    lines = rules.lines(status, json.loads(headers), zlib.decompress(body))
    return [line for line in lines if line]


def _renamed_classes(file: Path | None) -> dict[str, str]:
    """`old new` per line; a line with one word removes the class."""
    lines = file.read_text().splitlines() if file is not None else []
    return {words[0]: " ".join(words[1:]) for words in map(str.split, lines) if words}


if __name__ == "__main__":
    sys.exit(main())
