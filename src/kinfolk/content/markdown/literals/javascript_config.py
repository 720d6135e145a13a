"""The literals of a configuration in JavaScript or TypeScript. No code runs.

Read are objects, arrays, texts, constants of the file and of files that it imports, parts of them (`one.two`,
`one[0]`), templates and sums of such texts, what `defineConfig({…})` and similar calls receive, and what a function of
these files returns if that is a literal. All else is ConfigCode.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from kinfolk.content.markdown.literals.config_values import (
    DEEPEST,
    LONGEST_TEXT,
    MOST_VALUES,
    ConfigCode,
    ConfigList,
    ConfigTable,
    ConfigText,
    ConfigValue,
)
from kinfolk.content.markdown.literals.javascript_functions import (
    CLOSING,
    OPENING,
    closings,
    returned_by_arrow,
    returned_by_function,
    returned_by_key,
)
from kinfolk.content.markdown.literals.javascript_tokens import Token, tokens_of

ReadModule = Callable[[str, str], tuple[str, str] | None]
"""From the file that imports (empty for the first one) and the path that it names to that file and its text."""

MOST_MODULES = 40
_DEEPEST_OF_ALL = 100
"""Values within each other, with those of constants and of other files: a value takes up to five Python calls."""
_CONFIG_CALLS = frozenset(("defineConfig", "defineConfigWithTheme", "defineAdditionalConfig"))
_PATH_CALLS = frozenset(("require", "resolve"))
_DOTTED_PATH_CALLS = (
    ("require", ".", "resolve", "("),
    ("path", ".", "resolve", "("),
    ("path", ".", "join", "("),
)
_WORDS = frozenset(("true", "false", "null", "undefined"))
_DECLARATIONS = frozenset(("const", "let", "var"))
_CASTS = frozenset(("as", "satisfies"))
_ENDING = CLOSING | {",", ";"}
_PLAIN_NAME = re.compile(r"\s*+([A-Za-z_$][\w$]*+)\s*+")
_END = Token("sign", "", 0)


@dataclass
class _Limits:
    """Shared by a file and those that it imports."""

    values: int = MOST_VALUES
    modules: int = MOST_MODULES
    depth: int = 0


def read_javascript_config(text: str, read_module: ReadModule) -> ConfigTable | None:
    """The object that the file exports, or None if it exports none that can be read."""
    value = _Module(tokens_of(text), read_module, _Limits()).exported()
    return value if isinstance(value, ConfigTable) else None


def read_javascript_call(text: str, read_module: ReadModule, name: str) -> ConfigTable | None:
    """The object that the first call of a function receives, or None if there is none that can be read."""
    return _Module(tokens_of(text), read_module, _Limits()).received(name)


def read_javascript_expression(expression: str) -> ConfigValue:
    """The value of one expression, such as that of an attribute in JSX. ConfigCode for one that is not data."""
    tokens = tokens_of(expression)
    module = _Module(tokens, lambda *_: None, _Limits())
    value, end = module.value()
    return value if end >= len(tokens) else ConfigCode(value.line)


def read_javascript_value(text: str, name: str, read_module: ReadModule) -> ConfigValue | None:
    """The value of one constant, or what the function of that name returns."""
    module = _Module(tokens_of(text), read_module, _Limits())
    value = module.constant(name, 0)
    return None if isinstance(value, ConfigCode) and value.line == 0 else value


def read_javascript_returned(text: str, name: str, read_module: ReadModule) -> ConfigValue | None:
    """What the first function of a name returns: `name: () => […]` or `async name() { return […] }`, at any depth."""
    tokens = tokens_of(text)
    ends = closings(tokens)
    for at, token in enumerate(tokens):
        if token.kind == "name" and token.text == name and (place := returned_by_key(tokens, at, ends)):
            return _Module(tokens, read_module, _Limits()).value(place)[0]
    return None


@dataclass
class _Constants:
    """Where constants and imports of a file are: the token behind `=`, or the path and the name in that file."""

    places: dict[str, int] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    """Where what a function returns begins."""
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)


class _Module:
    def __init__(self, tokens: list[Token], read_module: ReadModule, limits: _Limits, file: str = "") -> None:
        self._file = file
        self._tokens = tokens
        self._read_module = read_module
        self._limits = limits
        self._constants = _constants(tokens)
        self._resolved: dict[str, tuple[ConfigValue, int]] = {}
        self._resolving: set[str] = set()
        self._modules: dict[str, _Module | None] = {}

    def value(self, at: int = 0) -> tuple[ConfigValue, int]:
        """The value that begins at a token, and the token behind it."""
        return self._value(at, 0)

    # What a file exports

    def exported(self) -> ConfigValue | None:
        """The default export; else the first object that a call of `defineConfig` receives or that is returned.

        A file of JSON exports its value.
        """
        if self._file.endswith(".json"):
            return self._value(0, 0)[0]
        for at in self._export_places():
            value = self._unwrapped(at)
            if isinstance(value, (ConfigTable, ConfigList)):
                return value
        for at in self._candidates():
            value, _ = self._value(at, 0)
            if isinstance(value, ConfigTable) or self._limits.values < 0:
                return value
        return None

    def _export_places(self) -> Iterator[int]:
        for at in range(len(self._tokens)):
            if self._words(at, 2) == ("export", "default"):
                yield at + 2
            if self._words(at, 4) == ("module", ".", "exports", "="):
                yield at + 4

    def _words(self, at: int, count: int) -> tuple[str, ...]:
        return tuple(token.text for token in self._tokens[at : at + count] if token.kind != "text")

    def _unwrapped(self, at: int) -> ConfigValue:
        """The value at a place: the first argument of a call, and of a call in it."""
        while self._token(at).kind == "name" and self._is_sign(at + 1, "(") and self._token(at).text != "function":
            at += 2
        return self._value(at, 0)[0]

    def _candidates(self) -> Iterator[int]:
        tokens = self._tokens
        for at, token in enumerate(tokens):
            if token.text in _CONFIG_CALLS and self._is_sign(at + 1, "("):
                yield at + 2
        for at, token in enumerate(tokens):
            if token.kind == "name" and token.text == "return" and self._is_sign(at + 1, "{"):
                yield at + 1
            if token.text == "=>" and self._words(at + 1, 2) == ("(", "{"):
                yield at + 2

    def received(self, name: str) -> ConfigTable | None:
        for at, token in enumerate(self._tokens):
            if token.kind == "name" and token.text == name and self._is_sign(at + 1, "("):
                value, _ = self._value(at + 2, 0)
                return value if isinstance(value, ConfigTable) else None
        return None

    # Values

    def _token(self, at: int) -> Token:
        return self._tokens[at] if at < len(self._tokens) else _END

    def _is_sign(self, at: int, sign: str) -> bool:
        token = self._token(at)
        return token.kind == "sign" and token.text == sign

    def _value(self, at: int, depth: int) -> tuple[ConfigValue, int]:
        """The value that begins at a token, and the token behind it."""
        line = self._token(at).line
        self._limits.values -= 1
        if self._limits.values < 0 or depth > DEEPEST or self._limits.depth > _DEEPEST_OF_ALL:
            return ConfigCode(line), self._behind(at)
        self._limits.depth += 1
        try:
            return self._expression(at, depth)
        finally:
            self._limits.depth -= 1

    def _expression(self, at: int, depth: int) -> tuple[ConfigValue, int]:
        start, line = at, self._token(at).line
        value, at = self._operand(at, depth)
        while isinstance(value, ConfigText) and self._is_sign(at, "+"):
            other, at = self._operand(at + 1, depth)
            value = _joined(line, [value, other])
        if self._token(at).kind == "name" and self._token(at).text in _CASTS and at > start:
            return value, self._behind(at)
        if self._ends(at, start):
            return value, at
        return ConfigCode(line), self._behind(at)

    def _ends(self, at: int, start: int) -> bool:
        token = self._token(at)
        if token is _END or (token.kind == "sign" and token.text in _ENDING):
            return True
        # A line break ends a statement without a semicolon.
        return at > start and token.kind == "name" and token.line > self._token(at - 1).line

    def _behind(self, at: int) -> int:
        """The token that ends the expression: a comma, a semicolon or a closing bracket."""
        depth = 0
        while at < len(self._tokens):
            token = self._tokens[at]
            if token.kind == "sign":
                if depth == 0 and token.text in _ENDING:
                    return at
                depth += (token.text in OPENING) - (token.text in CLOSING)
            at += 1
        return at

    def _operand(self, at: int, depth: int) -> tuple[ConfigValue, int]:
        token = self._token(at)
        line = token.line
        match token.kind, token.text:
            case (("text" | "number"), text):
                return ConfigText(line, text), at + 1
            case "template", _:
                return self._template(token), at + 1
            case "sign", "{":
                return self._table(at, depth)
            case "sign", "[":
                return self._list(at, depth)
            case "sign", "(":
                value, behind = self._value(at + 1, depth + 1)
                if self._is_sign(behind, ")") and not self._is_sign(behind + 1, "=>"):
                    return value, behind + 1
            case "name", text if text in _WORDS:
                return ConfigText(line, text), at + 1
            case "name", _:
                return self._named(at, depth)
        return ConfigCode(line), at

    def _named(self, at: int, depth: int) -> tuple[ConfigValue, int]:
        """A constant, a call that returns what it receives, or the path that `require.resolve` receives."""
        token, following = self._token(at), self._token(at + 1)
        is_called = self._is_sign(at + 1, "(")
        if is_called and token.text in _CONFIG_CALLS:
            value, behind = self._value(at + 2, depth + 1)
            return value, self._last_argument(behind)[1]
        if is_called and token.text in _PATH_CALLS:
            return self._path(at + 2, depth)
        if self._words(at, 4) in _DOTTED_PATH_CALLS:
            return self._path(at + 4, depth)
        if is_called:
            return self.returned(token, depth), self._behind(at + 2) + 1
        if following.kind == "sign" and following.text == "=>":
            return ConfigCode(token.line), at
        return self._member(self.constant(token.text, token.line), at + 1)

    def _member(self, value: ConfigValue, at: int) -> tuple[ConfigValue, int]:
        """The part of a value that `.name`, `['name']` or `[0]` names, and the token behind it."""
        while True:
            line = self._token(at).line
            if (self._is_sign(at, ".") or self._is_sign(at, "?.")) and self._token(at + 1).kind == "name":
                key, at = self._token(at + 1).text, at + 2
            elif self._is_sign(at, "[") and self._token(at + 1).kind in ("text", "number"):
                if not self._is_sign(at + 2, "]"):
                    return ConfigCode(line), at
                key, at = self._token(at + 1).text, at + 3
            else:
                return value, at
            if isinstance(value, ConfigTable) and key in value.entries:
                value = value.entries[key]
            elif isinstance(value, ConfigList) and key.isdecimal() and int(key[:9]) < len(value.items):
                value = value.items[int(key[:9])]
            else:
                return ConfigCode(line), at

    def returned(self, token: Token, depth: int) -> ConfigValue:
        """What a function returns. Its parameters are not known."""
        at = self._constants.functions.get(token.text)
        if at is not None:
            return self._resolved_once(f"{token.text}()", token.line, lambda: self._value(at, depth + 1)[0])
        if token.text in self._constants.imports:
            path, theirs = self._constants.imports[token.text]
            module = self._module(path)
            if module is not None:
                return module.returned(Token("name", theirs, token.line), depth + 1)
        return ConfigCode(token.line)

    def _path(self, at: int, depth: int) -> tuple[ConfigValue, int]:
        """The last argument of a call that makes a path, if it is a text."""
        first, behind = self._last_argument(at)
        value = self._value(first, depth + 1)[0]
        return value if isinstance(value, ConfigText) else ConfigCode(self._token(at).line), behind

    def _last_argument(self, at: int) -> tuple[int, int]:
        """Where the last argument begins, from one argument or the comma behind it, and the token behind the call."""
        first, behind = at, self._behind(at)
        while self._is_sign(behind, ",") and not self._is_sign(behind + 1, ")"):
            first = behind + 1
            behind = self._behind(first)
        return first, behind + 1

    def _template(self, token: Token) -> ConfigValue:
        values: list[ConfigValue] = []
        for position, part in enumerate(token.parts):
            if position % 2 == 0:
                values.append(ConfigText(token.line, part))
            elif found := _PLAIN_NAME.fullmatch(part):
                values.append(self.constant(found[1], token.line))
            else:
                return ConfigCode(token.line)
        return _joined(token.line, values)

    def _table(self, at: int, depth: int) -> tuple[ConfigValue, int]:
        line = self._token(at).line
        entries: dict[str, ConfigValue] = {}
        at += 1
        while self._token(at) is not _END and not self._is_sign(at, "}"):
            token, following = self._token(at), self._token(at + 1)
            start = at
            if self._is_sign(at, "..."):
                value, at = self._value(at + 1, depth + 1)
                entries |= value.entries if isinstance(value, ConfigTable) else {"...": ConfigCode(token.line)}
            elif self._is_sign(at, "["):
                key, behind = self._value(at + 1, depth + 1)
                name = key.text if isinstance(key, ConfigText) else "…"
                if self._words(behind, 2) == ("]", ":"):
                    entries[name], at = self._value(behind + 2, depth + 1)
                else:
                    entries[name], at = ConfigCode(token.line), self._behind(behind + 1)
            elif token.kind in ("name", "text", "number") and self._is_sign(at + 1, ":"):
                entries[token.text], at = self._value(at + 2, depth + 1)
            elif token.kind == "name" and following.kind == "sign" and following.text in (",", "}"):
                entries[token.text], at = self.constant(token.text, token.line), at + 1
            else:  # a method, or a computed key
                name = next((one.text for one in (token, following) if one.kind == "name" and one.text != "async"), "…")
                entries[name], at = ConfigCode(token.line), self._behind(at)
            at = self._next_item(at, start)
        return ConfigTable(line, entries), at + 1

    def _list(self, at: int, depth: int) -> tuple[ConfigValue, int]:
        line = self._token(at).line
        items: list[ConfigValue] = []
        at += 1
        while self._token(at) is not _END and not self._is_sign(at, "]"):
            start = at
            if self._is_sign(at, "..."):
                value, at = self._value(at + 1, depth + 1)
                items += value.items if isinstance(value, ConfigList) else (ConfigCode(value.line),)
            elif not self._is_sign(at, ","):
                value, at = self._value(at, depth + 1)
                items.append(value)
            at = self._next_item(at, start)
        return ConfigList(line, tuple(items)), at + 1

    def _next_item(self, at: int, start: int) -> int:
        """Behind the comma, and at least one token behind the start of the last item."""
        return at + 1 if self._is_sign(at, ",") else max(at, start + 1)

    # Names

    def constant(self, name: str, line: int) -> ConfigValue:
        """The value of a constant of the file, or of one that it imports."""
        return self._resolved_once(name, line, lambda: self._resolve(name, line))

    def _resolved_once(self, name: str, line: int, resolve: Callable[[], ConfigValue]) -> ConfigValue:
        if name in self._resolved:
            value, size = self._resolved[name]
            self._limits.values -= size
            return value if self._limits.values >= 0 else ConfigCode(line)
        if name in self._resolving or self._limits.values < 0 or len(self._resolving) > DEEPEST:
            return ConfigCode(line)
        self._resolving.add(name)
        before = self._limits.values
        value = resolve()
        self._resolving.discard(name)
        self._resolved[name] = value, before - self._limits.values
        return value

    def _resolve(self, name: str, line: int) -> ConfigValue:
        if name in self._constants.places:
            return self._value(self._constants.places[name], 0)[0]
        if name in self._constants.imports:
            path, theirs = self._constants.imports[name]
            module = self._module(path)
            if module is not None:
                return (module.exported() if theirs == "default" else module.constant(theirs, line)) or ConfigCode(line)
        return ConfigCode(line)

    def _module(self, path: str) -> _Module | None:
        if path not in self._modules:
            self._limits.modules -= 1
            found = self._read_module(self._file, path) if self._limits.modules >= 0 else None
            self._modules[path] = (
                _Module(tokens_of(found[1]), self._read_module, self._limits, found[0]) if found else None
            )
        return self._modules[path]


def _joined(line: int, values: list[ConfigValue]) -> ConfigValue:
    texts = [value.text for value in values if isinstance(value, ConfigText)]
    if len(texts) < len(values) or sum(map(len, texts)) > LONGEST_TEXT:
        return ConfigCode(line)
    return ConfigText(line, "".join(texts))


def _constants(tokens: list[Token]) -> _Constants:
    found = _Constants()
    ends = closings(tokens)
    depth = 0
    for at, token in enumerate(tokens):
        if token.kind == "sign":
            depth += (token.text in OPENING) - (token.text in CLOSING)
        elif depth == 0 and token.kind == "name" and at + 1 < len(tokens):
            if token.text in _DECLARATIONS and (value := _behind_equals(tokens, at + 2)):
                found.places[tokens[at + 1].text] = value
                if place := returned_by_arrow(tokens, value, ends):
                    found.functions[tokens[at + 1].text] = place
            elif token.text == "function" and (place := returned_by_function(tokens, at + 1, ends)):
                name = tokens[at + 1].text if tokens[at + 1].kind == "name" else "default"
                found.functions[name] = place
            elif token.text == "import":
                found.imports |= _imports(tokens, at + 1)
    return found


def _behind_equals(tokens: list[Token], at: int) -> int | None:
    """Behind the `=` of a declaration, whose type may precede it."""
    for place in range(at, min(at + 40, len(tokens))):
        if tokens[place].kind == "sign" and tokens[place].text in ("=", ";"):
            return place + 1 if tokens[place].text == "=" else None
    return None


def _imports(tokens: list[Token], at: int) -> Mapping[str, tuple[str, str]]:
    """The names that an import declares: `import one, { two as three } from './path'`."""
    names: dict[str, str] = {}
    is_inside = False
    for place in range(at, min(at + 200, len(tokens))):
        token = tokens[place]
        if token.kind == "text":
            return {name: (token.text, theirs) for name, theirs in names.items()}
        if token.kind == "sign" and token.text not in "{},*":
            return {}
        is_inside = (is_inside or token.text == "{") and token.text != "}"
        if token.kind == "name" and token.text not in ("from", "as", "type"):
            if tokens[place - 1].text == "as" and is_inside:
                theirs = names.pop(tokens[place - 2].text, "")
                names[token.text] = theirs
            else:
                names[token.text] = token.text if is_inside else "default"
    return {}
