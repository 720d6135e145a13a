"""Applies the `replace` map of a page: literals or patterns, with replacement strings as in JavaScript.

The patterns are untrusted, and Python's engine backtracks without a limit. So only a subset of the syntax is accepted
(characters, classes, anchors, groups, alternation, quantifiers on one character), and the cost of each pattern is
estimated against the text before it runs: a start at every character, one step for each character of the pattern, and
for each quantified character a factor of its longest run in the text. The patterns of a page share one budget. A
pattern that is unsupported, invalid or too expensive is ignored, as is a replacement that makes the text too long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kinfolk.runtime.budget import BUDGETS

LONGEST_KEY = 4_000
HIGHEST_COST = 50_000_000
LARGEST_TEXT = BUDGETS["markdown"].input_bytes

_ATOM = re.compile(
    r"""(?P<single> \\[dDsSwWtnrfv] | \\[^A-Za-z0-9] | \[\^?(?>[^\]\\]|\\.)++\]
                  | [^\\\[\](){}*+?|^$] | [\]}] | \{(?!\d+(?:,\d*)?\}) )
      | (?P<edge> \\[bB] | [\^$] )
      | (?P<group> \( (?: \?: | (?!\?) ) )
      | (?P<either> \| )
      | (?P<close> \) )""",
    re.VERBOSE | re.DOTALL,
)
_QUANTIFIER = re.compile(r"(?:([*+?])|\{(\d{1,4})(,(\d{0,4}))?\})\??")
_SPECIAL = re.compile(r"\$([$&`']|\d\d?)")


def apply_replacements(text: str, changes: Iterable[tuple[str, str]]) -> str:
    """The text after all replacements, in order. A key that occurs literally in the text is a literal."""
    left = HIGHEST_COST
    for key, value in changes:
        if len(key) > LONGEST_KEY:
            continue
        if key in text:
            text = _literally(text, key, value)
        elif (found := compile_affordable(key, text, left)) is not None:
            pattern, cost = found
            left -= cost
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
    """The parts of a replacement string with JavaScript's syntax: `$$`, `$&`, `$1`, `` $` `` and `$'`.

    Yields parts, because the whole can exceed memory: `$'` is all text after the match.
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


def compile_affordable(key: str, text: str, most: int = HIGHEST_COST) -> tuple[re.Pattern[str], int] | None:
    """The key as a Python pattern, and its cost. None if it is unsupported or too expensive."""
    written: list[str] = []
    cost = len(text) * len(key)
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
        cost *= 2 if atom.lastgroup == "either" else 1
        quantifier = _QUANTIFIER.match(key, at)
        if quantifier and not after_group:
            if atom.lastgroup != "single":
                return None
            at = quantifier.end()
            written.append(quantifier[0])
            cost *= 2 if quantifier[1] == "?" else 2 + _longest_run(python, text)
        if cost > most or (quantifier and _QUANTIFIER.match(key, at)):
            return None
    try:
        return re.compile("".join(written), re.ASCII), cost
    except (re.error, OverflowError):
        return None


def _in_python(atom: re.Match[str]) -> str:
    source = atom[0]
    if source.startswith("["):
        # In JavaScript `[`, `&&` and `--` are literals inside a class.
        inside = re.sub(r"\\.|[\[&~|]", lambda c: c[0] if len(c[0]) > 1 else "\\" + c[0], source[1:-1], flags=re.DOTALL)
        return f"[{inside}]"
    return {".": r"[^\n\r]", "^": r"\A", "$": r"\Z"}.get(source, source)


def _longest_run(single: str, text: str) -> int:
    try:
        return max((len(run) for run in re.findall(f"(?:{single})+", text, re.ASCII)), default=0)
    except re.error:
        return 0
