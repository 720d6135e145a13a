"""A signature of TypeScript -> HTML in which names have the classes of highlighted code, and types link to their pages.

Signatures of members, such as `store: Store<T>;`, are not statements: a grammar of TypeScript reads them as labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

LONGEST = 20_000
"""Characters of a signature. Longer ones stay code blocks."""

_TOKEN = re.compile(r"""(?P<name>[A-Za-z_$][\w$]*)|(?P<string>"[^"\n]*"|'[^'\n]*')|(?P<number>\d+)|(?P<operator>=>)""")
_BLANK = re.compile(r"\s*")
_TYPE_PARAMETER = re.compile(r"T(?:[A-Z]\w*)?|[A-Z]")
_KEYWORDS = frozenset(
    """abstract accessor asserts async class const constructor declare enum extends function get implements infer in
    interface is keyof let namespace new private protected public readonly set static this type typeof unique
    var""".split()
)
_PRIMITIVES = frozenset("any bigint boolean never null number object string symbol undefined unknown void".split())
_CONSTANTS = frozenset(("true", "false"))
_MODIFIERS = frozenset("abstract optional private protected readonly static".split())
_GLOBALS = frozenset(
    """AbortController AbortSignal Array Awaited Boolean Date Element Error Event Exclude Extract Function Iterable
    Map NoInfer NonNullable Number Object Omit Parameters Partial Pick Promise PromiseLike Readonly ReadonlyArray
    Record Required ReturnType Set String Symbol WeakMap WeakSet""".split()
)
_DECLARES_TYPE = ("abstract class ", "class ", "enum ", "interface ", "namespace ", "type ")
_OPENING = "({[<"
_CLOSING = ")}]"


def modifiers(code: str) -> tuple[str, ...]:
    """The words before the name of a member: `optional`, `readonly`, `static`."""
    found = []
    for word in code.split(" ", 4)[:4]:
        if word not in _MODIFIERS:
            break
        found.append(word)
    return tuple(found)


def in_typescript(code: str) -> str:
    """TypeDoc writes `optional name: T`, TypeScript `name?: T`."""
    words = modifiers(code)
    if "optional" not in words:
        return code
    rest = code.removeprefix(" ".join(words)).lstrip(" ")
    name = _TOKEN.match(rest)
    if name is None or name.lastgroup != "name":
        return code
    before = "".join(f"{word} " for word in words if word != "optional")
    mark = "" if rest.startswith("?", name.end()) else "?"
    return f"{before}{name[0]}{mark}{rest[name.end() :]}"


def type_names(code: str) -> Iterator[str]:
    """Names in the code that types of the library may have."""
    for found in _TOKEN.finditer(code):
        name = found["name"]
        if name and _is_type(name) and name not in _GLOBALS:
            yield name


def signature_html(code: str, links: Mapping[str, str]) -> str:
    """The code as HTML. `links` are the addresses of types by name."""
    parts: list[str] = []
    done = depth = 0
    declared = code.startswith(_DECLARES_TYPE)
    for found in _TOKEN.finditer(code):
        between = code[done : found.start()]
        depth += sum((char in _OPENING) - (char in _CLOSING) for char in between)
        parts.append(escape(between, quote=False))
        done = found.end()
        kind = _kind(found, code, is_declared=not declared and depth <= 0)
        declared = declared or kind in ("f", "p") or (kind == "t" and depth <= 0)
        parts.append(_span(kind, found[0], links))
    return "".join([*parts, escape(code[done:], quote=False)])


def _kind(found: re.Match[str], code: str, *, is_declared: bool) -> str:
    """The class of the token, as `tokenKinds.ts` names them; empty for plain text."""
    name = found["name"]
    if not name:
        return {"string": "s", "number": "n"}.get(found.lastgroup or "", "o")
    following = code[_end_of_blanks(code, found.end()) :][:2]
    if is_declared and following[:1] in ("(", "<") and name != "new":
        return "f"
    if following[:1] == ":" or following == "?:":
        return "p"
    return _kind_of_word(name)


def _end_of_blanks(code: str, at: int) -> int:
    # One line of blanks at most.
    return min(at + 80, blank.end()) if (blank := _BLANK.match(code, at, at + 80)) else at


def _kind_of_word(name: str) -> str:
    if name in _KEYWORDS:
        return "k"
    if name in _CONSTANTS:
        return "n"
    if name in _PRIMITIVES or _is_type(name):
        return "t"
    return "" if _TYPE_PARAMETER.fullmatch(name) else "v"


def _is_type(name: str) -> bool:
    return name[0].isupper() and not _TYPE_PARAMETER.fullmatch(name)


def _span(kind: str, name: str, links: Mapping[str, str]) -> str:
    if kind == "t" and name in links:
        return f'<a class="t" href="{escape(links[name])}">{name}</a>'
    text = escape(name, quote=False)
    return f'<span class="{kind}">{text}</span>' if kind else text
