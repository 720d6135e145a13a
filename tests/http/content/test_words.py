"""Words that this site no longer uses appear in nothing that it serves: pages, Markdown, feeds, scripts.

Texts that the specification fixes are not listed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.servers.serving import serving
from tests.sites.sample_var import SAMPLE_VAR

from kinfolk.config.settings import ROOT

REPLACED = (
    "Or begin where the docs begin",
    "The search did not answer",
    "Close this and open it again",
    "Redirect to latest version?",
    "Counted in the docs that this site serves now",
    "frameworks they fit",
    "versions with docs",
    r"What is in (?:the )?(?:Query|Form|Config|Router|Start|Table|Virtual|Ranger|Store|Pacer)\b",
    "Retries that wait longer each time",
    "Pages, and lists without an end",
    "Unused data is collected as garbage",
    "a way back when they fail",
    "Rendered on the server, and continued in the browser",
    "Routing in which every path, param and link is typed",
    "Free, and paid for",
    "all drawn alike",
    "Rather begin with what is free",
    "How the family is paid for",
    "what money cannot buy",
    "Come and talk",
    "Which door",
    "Where to ask what about",
    "Questions and wishes in Discussions",
    "faults in Issues",
    "does not belong into",
    r"\bNo lock(?![-\w])",
    r"\b[Ee]-mail",
    r">\s*Hold\s*<",
    r"\bHold(?: <[^>]*>)? this box",
    "changing this box",
    r"[>'\"`]Go on[<'\"`]",
    "also there as Markdown",
    "to read file by file",
    r"\bEbay\b",
    r"\bCarFAX\b",
    r"\bDocusign\b",
    r"\bFacebook\b",
)
"""Phrases that were replaced, as patterns."""
BRITISH_WORDS = (
    "colours? coloured organisations? behaviours? licences? favourites? recognised? memoised neighbours? centred"
    " catalogues? aeroplanes? serialised? labelled cancelling"
).split()
BRITISH = rf"\b(?:{'|'.join(BRITISH_WORDS)})\b"
OTHER_NAMES = re.compile(
    r"search:favourites|SEARCH_FAVOURITES|\"favourites\"|'favourites'|`favourites`|[\w.]*[_.]favourites?"
)
"""The key of stored pages, which readers have in their browsers."""
WORDS = re.compile("|".join((*REPLACED, BRITISH)))
PARTS = [re.compile(pattern.removeprefix(r"\b")) for pattern in (*REPLACED, *BRITISH_WORDS)]
"""What a text with one of WORDS contains. Their literal beginnings are found ten times as fast."""

FURTHER = (
    "/design /login /login/code /login/confirm /dashboard /dashboard/account /search /search?q=query /sponsors-embed"
    " /nope /query/v3/docs/nope /nope/latest/docs /stats/npm /blog/nope /llms.txt /llms-full.txt /site.webmanifest"
    " /opensearch.xml /robots.txt /blog/rss.xml /blog/feed.json"
).split()
"""Addresses that the sitemaps do not list."""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, built: Path) -> Iterator[httpx.Client]:
    assert built
    with (
        serving(
            tmp_path_factory.mktemp("words"), environment={"KINFOLK_SEARCH": "off"}, var=SAMPLE_VAR.folder()
        ) as server,
        httpx.Client(base_url=server.url, timeout=60) as client,
    ):
        yield client


def pages_outside_the_docs(reader: httpx.Client) -> list[str]:
    """The paths of all sitemaps, one docs page and one example of each library: `llms-full.txt` has all texts."""
    found: dict[str, str] = {}
    maps = ["/sitemap.xml"]
    while maps:
        text = reader.get(maps.pop()).text
        paths = [re.sub(r"^https?://[^/]+", "", address) for address in re.findall(r"<loc>([^<]+)</loc>", text)]
        maps += [path for path in paths if path.endswith(".xml")]
        for path in paths:
            library, docs, page = path.partition("/docs")
            kind = f"{library}{docs}{'/examples' if '/examples' in page else ''}" if docs else path
            if not path.endswith(".xml"):
                found.setdefault(kind, path)
    return list(found.values())


def has_parts(text: str) -> bool:
    return any(part.search(text) for part in PARTS)


def replaced_words(text: str) -> set[str]:
    if not has_parts(text):
        return set()
    return {found[0] for found in WORDS.finditer(OTHER_NAMES.sub("", text))}


def test_no_page_has_replaced_words(reader: httpx.Client) -> None:
    paths = [*pages_outside_the_docs(reader), *FURTHER]
    assert len(paths) > 60
    texts = {path: reader.get(path).text for path in paths}
    markdown = {href for text in texts.values() for href in re.findall(r'type="text/markdown" href="([^"]+)"', text)}
    texts |= {href: reader.get(href).text for href in sorted(markdown)}
    assert {path: words for path, text in texts.items() if (words := replaced_words(text))} == {}


def test_no_script_has_replaced_words(built: Path) -> None:
    # Libraries in the scripts have their own spelling.
    scripts = [*built.glob("client/assets/*.js"), *built.glob("ssr/**/*.js")]
    assert len(scripts) > 10
    replaced = re.compile("|".join(REPLACED))
    texts = {script.name: script.read_text(encoding="utf-8") for script in scripts}
    found = {name: set(replaced.findall(text)) for name, text in texts.items() if has_parts(text)}
    assert {name: words for name, words in found.items() if words} == {}


def test_no_source_has_british_spelling() -> None:
    files = [path for folder in ("frontend/src", "src/kinfolk", "sites") for path in (ROOT / folder).rglob("*")]
    texts = {path: path.read_text() for path in files if path.suffix in (".py", ".ts", ".tsx", ".css", ".toml")}
    british = re.compile(BRITISH, re.IGNORECASE)
    found = {
        path.name: set(british.findall(OTHER_NAMES.sub("", text)))
        for path, text in texts.items()
        if has_parts(text.lower())
    }
    assert {name: words for name, words in found.items() if words} == {}
