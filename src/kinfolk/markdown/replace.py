"""The `replace` map of a page that shows another's text: literals, patterns, JavaScript's replacements.

The patterns come from strangers and Python's engine backtracks without a limit. So only a plain part of the
language is accepted (characters, classes, anchors, groups, alternation, quantifiers on one character), and
each pattern is priced against the text before it runs, all of a page's together: a start anywhere, as many
steps as it is long, and for each quantified character as many ways as its longest run there. A pattern that
is foreign, broken or too dear is ignored, as is a replacement that blows the text up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kinfolk.budget import BUDGETS

LONGEST_KEY = 4_000
DEAREST = 50_000_000
LARGEST_TEXT = BUDGETS["markdown"].input_bytes

_ATOM = re.compile(
    r"""(?P<single> \\[dDsSwWtnrfv] | \\[^A-Za-z0-9] | \[\^?(?:[^\]\\]|\\.)++\]
                  | [^\\\[\](){}*+?|^$] | [\]}] | \{(?!\d+(?:,\d*)?\}) )
      | (?P<edge> \\[bB] | [\^$] )
      | (?P<group> \( (?: \?: | (?!\?) ) )
      | (?P<either> \| )
      | (?P<close> \) )""",
    re.VERBOSE | re.DOTALL,
)
_QUANTIFIER = re.compile(r"(?:([*+?])|\{(\d{1,4})(,(\d{0,4}))?\})\??")
_SPECIAL = re.compile(r"\$([$&`']|\d\d?)")


def replace_all(text: str, changes: Iterable[tuple[str, str]]) -> str:
    """Each change on the result of the one before. A key that occurs as written is meant as written."""
    left = DEAREST
    for key, value in changes:
        if len(key) > LONGEST_KEY:
            continue
        if key in text:
            text = _literally(text, key, value)
        elif (found := affordable(key, text, left)) is not None:
            pattern, price = found
            left -= price
            text = _substitute(text, pattern, value)
    return text


def _literally(text: str, key: str, value: str) -> str:
    if "$" in value:
        return _substitute(text, re.compile(re.escape(key)), value)
    grown = len(text) + text.count(key) * (len(value) - len(key))
    return text.replace(key, value) if grown <= LARGEST_TEXT else text


def _substitute(text: str, pattern: re.Pattern[str], value: str) -> str:
    parts: list[str] = []
    done = size = 0
    for match in pattern.finditer(text):
        parts.append(text[done : match.start()])
        done = match.end()
        size += len(parts[-1]) + len(text) - done
        for part in expand(value, match):
            parts.append(part)
            size += len(part)
            if size > LARGEST_TEXT:
                return text
        size -= len(text) - done
    return "".join([*parts, text[done:]])


def expand(value: str, match: re.Match[str]) -> Iterator[str]:
    """A replacement string as JavaScript reads it: `$$ $& $1`, the text before and after the match. In parts.

    Together they may be longer than memory is large: `$'` is all that follows.
    """
    done = 0
    for found in _SPECIAL.finditer(value):
        yield value[done : found.start()]
        yield _special(found[1], match)
        done = found.end()
    yield value[done:]


def _special(what: str, match: re.Match[str]) -> str:
    if what == "$":
        return "$"
    if what == "&":
        return match[0]
    if what == "`":
        return match.string[: match.start()]
    if what == "'":
        return match.string[match.end() :]
    for number, rest in ((what, ""), (what[0], what[1:])):
        if 1 <= int(number) <= match.re.groups:
            return (match[int(number)] or "") + rest
    return f"${what}"


def affordable(key: str, text: str, most: int = DEAREST) -> tuple[re.Pattern[str], int] | None:
    """The key as a Python pattern and its price; None where it is not one we accept, or too dear."""
    written: list[str] = []
    price = len(text) * len(key)
    at = 0
    after_group = False
    while at < len(key):
        if after_group and _QUANTIFIER.match(key, at):
            return None
        atom = _ATOM.match(key, at)
        if not atom:
            return None
        at = atom.end()
        after_group = atom.lastgroup == "close"
        python = _in_python(atom)
        written.append(python)
        price *= 2 if atom.lastgroup == "either" else 1
        quantifier = _QUANTIFIER.match(key, at)
        if quantifier and not after_group:
            if atom.lastgroup != "single":
                return None
            at = quantifier.end()
            written.append(quantifier[0])
            price *= 2 if quantifier[1] == "?" else 2 + _longest_run(python, text)
        if price > most or (quantifier and _QUANTIFIER.match(key, at)):
            return None
    try:
        return re.compile("".join(written), re.ASCII), price
    except (re.error, OverflowError):
        return None


def _in_python(atom: re.Match[str]) -> str:
    source = atom[0]
    if source.startswith("["):
        # JavaScript reads `[`, `&&` and `--` inside a class as themselves.
        inside = re.sub(r"\\.|[\[&~|]", lambda c: c[0] if len(c[0]) > 1 else "\\" + c[0], source[1:-1], flags=re.DOTALL)
        return f"[{inside}]"
    return {".": r"[^\n\r]", "^": r"\A", "$": r"\Z"}.get(source, source)


def _longest_run(single: str, text: str) -> int:
    try:
        return max((len(run) for run in re.findall(f"(?:{single})+", text, re.ASCII)), default=0)
    except re.error:
        return 0
