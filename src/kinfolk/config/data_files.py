"""Reads the TOML files of a site into frozen dataclasses, and reports every error with file, key and reason.

A key that the site's file does not have takes its value from the file of the same name in the defaults of the engine.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError

from kinfolk.config.site_folder import DEFAULTS
from kinfolk.runtime.errors import InvalidFile

T = TypeVar("T")

# For the `__pydantic_config__` of the dataclass of a file. Nested dataclasses inherit it.
WHOLE_REPOSITORY = "~"
"""The docs root of a library whose docs are the whole repository: no path of a file begins with it."""
STRICT_CONFIG = ConfigDict(extra="forbid", strict=True)


LARGEST_FILE = 1 << 20
"""Bytes. The largest file of this repository has 200 kB."""


def read_data_file(
    site: Path,
    file: str,
    shape: type[T],
    faults: list[InvalidFile],
    *,
    complete: Callable[[dict[str, Any]], dict[str, Any]] = lambda table: table,
) -> T | None:
    """The content of one file, or None after adding its errors to `faults`.

    `complete` adds the keys whose values follow from others.
    """
    # A file that neither has is an error of the site.
    folders = [folder for folder in (DEFAULTS, site) if (folder / file).exists()] or [site]
    tables = [_read_table(folder, file, faults) for folder in folders]
    if None in tables:
        return None
    merged: dict[str, Any] = {}
    for table in tables:
        merged = _merged(merged, table or {})
    return validate_table(complete(merged), file, shape, faults)


def _merged(default: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The keys of both; tables are merged, other values of `own` replace those of `default`."""
    both = default | own
    for key in default.keys() & own.keys():
        if isinstance(default[key], dict) and isinstance(own[key], dict):
            both[key] = _merged(default[key], own[key])
    return both


def _read_table(folder: Path, file: str, faults: list[InvalidFile]) -> dict[str, Any] | None:
    try:
        content = (folder / file).read_bytes()
        if len(content) > LARGEST_FILE:
            faults.append(InvalidFile(file, "", f"is larger than {LARGEST_FILE} bytes"))
            return None
        return _parsed(content.decode())
    except OSError as error:
        faults.append(InvalidFile(file, "", f"cannot be read: {error.strerror}"))
    except UnicodeDecodeError as error:
        faults.append(InvalidFile(file, "", f"is not UTF-8 at byte {error.start}"))
    except ValueError as error:  # also a number of more digits than Python reads
        faults.append(InvalidFile(file, "", f"is not valid TOML: {error}"))
    except RecursionError:
        faults.append(InvalidFile(file, "", "is nested too deep"))
    return None


@lru_cache(maxsize=128)
def _parsed(text: str) -> dict[str, Any]:
    """The table, which callers do not change. A start reads each file up to three times, an edit of one file all."""
    return tomllib.loads(text)


def validate_table(table: object, file: str, shape: type[T], faults: list[InvalidFile]) -> T | None:
    """The content of a parsed table, or None after adding its errors to `faults`."""
    try:
        # Through JSON: only there strict mode accepts lists as tuples and tables as dataclasses.
        adapter = _adapter(shape)  # type: ignore[arg-type]  # every class can be hashed
        facts: T = adapter.validate_json(json.dumps(table, default=str, ensure_ascii=False))
    except (UnicodeError, RecursionError):
        faults.append(InvalidFile(file, "", "holds what is no text, or is nested too deep"))
        return None
    except ValidationError as error:
        faults.extend(InvalidFile(file, _key(e["loc"]), _reason(e["type"], e["msg"])) for e in error.errors())
        return None
    return facts


@cache
def _adapter(shape: type[Any]) -> TypeAdapter[Any]:
    """Cached: creating an adapter takes some milliseconds, and a start reads ten libraries and as many posts."""
    return TypeAdapter(shape)


def _key(location: tuple[int | str, ...]) -> str:
    """`('versions', 1, 'branch')` -> `versions[1].branch`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return "".join(steps).removeprefix(".")


def _reason(kind: str, message: str) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "unexpected_keyword_argument":
        return "is not a known key"
    for wordy in ("Value error, ", "Input ", "Tuple "):
        message = message.removeprefix(wordy)
    return message


def is_printable(text: str) -> bool:
    """Whether there is no control character, line end or backslash, which browsers interpret in different ways."""
    return text.isprintable() and "\\" not in text


def is_site_path(text: str) -> bool:
    """Whether a link to `text` stays on this site."""
    return text.startswith("/") and not text.startswith("//") and is_printable(text) and " " not in text


def is_url(text: str) -> bool:
    host = text.removeprefix("https://").partition("/")[0]
    return text.startswith("https://") and "." in host and is_printable(text) and " " not in text


def is_repo_path(text: str) -> bool:
    return is_printable(text) and not {"", ".", ".."} & set(text.split("/"))


def check_docs_root(text: str) -> str:
    if not is_repo_path(text) or text.split("/", maxsplit=1)[0] == WHOLE_REPOSITORY:
        raise ValueError("should be a plain path within the repository, such as docs/router")
    return text


def is_line(text: str) -> bool:
    return text == text.strip() != "" and text.isprintable()


@dataclass(frozen=True)
class TextRule(AfterValidator):
    """A check of a text: `name` and `form` describe the texts that pass, in docs/configuration.md."""

    name: str
    form: str


def satisfies(test: Callable[[str], bool], name: str, form: str) -> TextRule:
    """A validator that accepts texts for which `test` is true."""
    return TextRule(_check(test, f"should be {form}"), name, form)


def matches(example: str, pattern: str, name: str) -> TextRule:
    """A validator that accepts texts that match the pattern. Its error shows the example, not the pattern."""
    written = re.compile(pattern, re.ASCII)
    check = _check(lambda text: written.fullmatch(text) is not None, f"should look like {example}")
    return TextRule(check, name, f"like `{example}`")


def _check(test: Callable[[str], bool], reason: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        if not test(text):
            raise ValueError(reason)
        return text

    return check


def origin_of(url: str) -> str:
    """`https://ads.example/tag.js` -> `https://ads.example`."""
    return "/".join(url.split("/")[:3])


ONE_LINE = satisfies(is_line, "text", "one line of text without space around it")
TextLine = Annotated[str, ONE_LINE]
Slug = Annotated[str, matches("right-rail", r"[A-Za-z0-9][A-Za-z0-9_-]*", "identifier")]
PositiveInt = Annotated[int, Field(gt=0)]
SitePath = Annotated[str, satisfies(is_site_path, "path", "a path on this site, such as /query/latest")]
HttpsUrl = Annotated[str, satisfies(is_url, "URL", "an https:// address")]
PathOrUrl = Annotated[
    str,
    satisfies(
        lambda text: is_site_path(text) or is_url(text),
        "path or URL",
        "a path on this site or an https:// address",
    ),
]
# Both are written into the Content-Security-Policy, where a space or a semicolon would start another directive. The
# loopback address is for development.
_HOST = r"https://(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?|http://127\.0\.0\.1:\d+"
Origin = Annotated[str, matches("https://ads.example or https://*.ads.example", _HOST, "origin")]
ScriptUrl = Annotated[str, matches("https://ads.example/tag.js", rf"(?:{_HOST})/[\w./?=&-]*", "script URL")]
HostName = Annotated[str, matches("example.com", r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", "host")]
Email = Annotated[str, matches("name@example.com", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", "e-mail address")]
FolderPath = Annotated[str, satisfies(is_line, "folder", "a path from the site folder on, such as ../widgets")]
RepoPath = Annotated[
    str, satisfies(is_repo_path, "repository path", "a plain path within the repository, such as docs/router")
]
DocsRoot = Annotated[
    str,
    TextRule(
        lambda text: WHOLE_REPOSITORY if text == "." else check_docs_root(text),
        "repository path",
        "a plain path within the repository, such as `docs/router`, or `.`",
    ),
]
