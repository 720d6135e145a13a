"""Files of facts: TOML read into frozen dataclasses, every fault named by file, key and reason."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError

from kinfolk.errors import BadFact

T = TypeVar("T")

# On the dataclass a file is read into, as `__pydantic_config__`; the dataclasses within inherit it.
STRICT = ConfigDict(extra="forbid", strict=True)


LARGEST_FILE = 1 << 20
"""Bytes. The largest of ours has 40 kB."""


def read_facts(data: Path, file: str, shape: type[T], faults: list[BadFact]) -> T | None:
    """The facts of one file, or None after adding everything that is wrong with it to `faults`."""
    try:
        content = (data / file).read_bytes()
        if len(content) > LARGEST_FILE:
            faults.append(BadFact(file, "", f"is larger than {LARGEST_FILE} bytes"))
            return None
        table = tomllib.loads(content.decode())
    except OSError as error:
        faults.append(BadFact(file, "", f"cannot be read: {error.strerror}"))
        return None
    except UnicodeDecodeError as error:
        faults.append(BadFact(file, "", f"is not UTF-8 at byte {error.start}"))
        return None
    except ValueError as error:  # also a number of more digits than Python reads
        faults.append(BadFact(file, "", f"is not valid TOML: {error}"))
        return None
    except RecursionError:
        faults.append(BadFact(file, "", "is nested too deep"))
        return None
    return shaped(table, file, shape, faults)


def shaped(table: object, file: str, shape: type[T], faults: list[BadFact]) -> T | None:
    """The facts of a table that was read from a file, or None after adding everything that is wrong to `faults`."""
    try:
        # By way of JSON: only there does strict mode take lists for tuples and tables for dataclasses.
        adapter = _adapter(shape)  # type: ignore[arg-type]  # every class can be hashed
        facts: T = adapter.validate_json(json.dumps(table, default=str, ensure_ascii=False))
    except (UnicodeError, RecursionError):
        faults.append(BadFact(file, "", "holds what is no text, or is nested too deep"))
        return None
    except ValidationError as error:
        faults.extend(BadFact(file, _key(e["loc"]), _reason(e["type"], e["msg"])) for e in error.errors())
        return None
    return facts


@cache
def _adapter(shape: type[Any]) -> TypeAdapter[Any]:
    """Making one takes some milliseconds, and a start reads ten libraries and as many posts."""
    return TypeAdapter(shape)


def _key(location: tuple[int | str, ...]) -> str:
    """`('versions', 1, 'branch')` as a person writes it: `versions[1].branch`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return "".join(steps).removeprefix(".")


def _reason(kind: str, message: str) -> str:
    if kind == "missing":
        return "is missing"
    if kind == "unexpected_keyword_argument":
        return "is not a key we know"
    for wordy in ("Value error, ", "Input ", "Tuple "):
        message = message.removeprefix(wordy)
    return message


def is_printable(text: str) -> bool:
    """No control character, line end or backslash: nothing that a browser could read in a second way."""
    return text.isprintable() and "\\" not in text


def is_site_path(text: str) -> bool:
    """Whether a browser that is sent to `text` stays on this site."""
    return text.startswith("/") and not text.startswith("//") and is_printable(text) and " " not in text


def is_url(text: str) -> bool:
    host = text.removeprefix("https://").partition("/")[0]
    return text.startswith("https://") and "." in host and is_printable(text) and " " not in text


def is_repo_path(text: str) -> bool:
    return is_printable(text) and not {"", ".", ".."} & set(text.split("/"))


def is_line(text: str) -> bool:
    return text == text.strip() != "" and text.isprintable()


def must(test: Callable[[str], bool], reason: str) -> AfterValidator:
    """A text for which the test holds; where it does not, the reason is told."""

    def check(text: str) -> str:
        if not test(text):
            raise ValueError(reason)
        return text

    return AfterValidator(check)


def like(example: str, pattern: str) -> AfterValidator:
    """A text that fits the pattern; whoever writes another one is shown the example, not the pattern."""
    written = re.compile(pattern, re.ASCII)
    return must(lambda text: written.fullmatch(text) is not None, f"should look like {example}")


def origin_of(url: str) -> str:
    """`https://ads.example/tag.js` -> `https://ads.example`."""
    return "/".join(url.split("/")[:3])


Words = Annotated[str, must(is_line, "should be one line of text without space around it")]
Slug = Annotated[str, like("right-rail", r"[A-Za-z0-9][A-Za-z0-9_-]*")]
Count = Annotated[int, Field(gt=0)]
SitePath = Annotated[str, must(is_site_path, "should be a path on this site, such as /query/latest")]
Url = Annotated[str, must(is_url, "should be an https:// address")]
Link = Annotated[
    str,
    must(
        lambda text: is_site_path(text) or is_url(text),
        "should be a path on this site or an https:// address",
    ),
]
# Both end up in a content security policy, where a space or a semicolon would begin something else. The loopback is for
# trying things out.
_HOST = r"https://(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?|http://127\.0\.0\.1:\d+"
Origin = Annotated[str, like("https://ads.example or https://*.ads.example", _HOST)]
ScriptUrl = Annotated[str, like("https://ads.example/tag.js", rf"(?:{_HOST})/[\w./?=&-]*")]
Email = Annotated[str, like("somebody@example.com", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")]
RepoPath = Annotated[str, must(is_repo_path, "should be a plain path within the repository, such as docs/router")]
