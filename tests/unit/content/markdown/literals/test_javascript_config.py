"""Literals of configurations in JavaScript and TypeScript, without running them."""

from __future__ import annotations

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.literals.config_access import entry, texts_in
from kinfolk.content.markdown.literals.config_values import (
    MOST_VALUES,
    ConfigCode,
    ConfigList,
    ConfigTable,
    ConfigText,
    ConfigValue,
)
from kinfolk.content.markdown.literals.javascript_config import read_javascript_config


def read(text: str, modules: dict[str, str] | None = None) -> object:
    def read_module(_: str, path: str) -> tuple[str, str] | None:
        return (path, modules[path]) if modules and path in modules else None

    return plain(read_javascript_config(text, read_module))


def no_module(_: str, __: str) -> None:
    return None


def plain(value: ConfigValue | None) -> object:
    """The value without lines; `...` stands for code."""
    match value:
        case ConfigText(text=text):
            return text
        case ConfigList(items=items):
            return [plain(item) for item in items]
        case ConfigTable(entries=entries):
            return {key: plain(item) for key, item in entries.items()}
        case ConfigCode():
            return ...
    return None


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("'it''s'", ...),
        (r"'it\'s'", "it's"),
        (r'"\u00e9\x41\n"', "éA\n"),
        (r'"\ud83d\uDE80 \ude80\ud83d"', "🚀 \ufffd\ufffd"),
        ("`a ${name} b`", "a Acme b"),
        ("`a ${name.length}`", ...),
        ("'a' + name", "aAcme"),
        ("name", "Acme"),
        ("unknown", ...),
        ("42", "42"),
        ("true", "true"),
        ("[1, 'b', [c], , ]", ["1", "b", [...]]),
        ("{ a: 1, 'b-c': { d: 'e' }, f() { return '}' }, g }", {"a": "1", "b-c": {"d": "e"}, "f": ..., "g": ...}),
        ("{ ...rest, b: 2 }", {"a": "1", "b": "2"}),
        ("[...list, 'c']", ["x", "c"]),
        ("[...make(), 'c']", ["z", "c"]),
        ("[...unknown(), 'c']", [..., "c"]),
        ("make()", ["z"]),
        ("arrow()", {"l": "/Acme"}),
        ("body('x')", [..., "y"]),
        ("endless()", [...]),
        ("rest.a", "1"),
        ("list[0]", "x"),
        ("list[1]", ...),
        ("rest['a']", "1"),
        ("{ [name]: 1, ['b']: 2, [rest.a]: 3 }", {"Acme": "1", "b": "2", "1": "3"}),
        ("{ [unknown()]: 1, [name](): 2 }", {"…": "1", "Acme": ...}),
        ("{ a: 1 } satisfies Options", {"a": "1"}),
        ("('a')", "a"),
        ("require.resolve('./sidebars.js')", "./sidebars.js"),
        ("resolve(__dirname, './docs')", "./docs"),
        ("() => ({ a: 1 })", ...),
        ("condition ? 'a' : 'b'", ...),
        ("[/['\"{]/g, 'a']", [..., "a"]),
        ("'a' /* '}' */", "a"),
        ("process.env.URL || 'x'", ...),
    ],
)
def test_literal_is_read_and_other_code_is_not(written: str, value: object) -> None:
    constants = """const name = 'Acme'
const rest = { a: 1 }
const list: string[] = ['x']
function make(): Item[] { const x = () => { return 1 }; return ['z'] }
const arrow = () => ({ l: `/${name}` })
const body = (base: string): Item[] => { return [base, 'y'] }
function endless() { return [endless()] }
"""
    text = f"{constants}export default {{ k: {written}, z: 1 }}"
    assert read(text) == {"k": value, "z": "1"}


@pytest.mark.parametrize(
    "text",
    [
        "export default { a: 'b' }",
        "export default defineConfig({ a: 'b' })",
        "export default withPlugin(defineConfig({ a: 'b' }), 1)",
        "const config: Config = { a: 'b' };\nexport default config",
        "const config = defineConfig({ a: 'b' })\nexport default extend(config)",
        "module.exports = { a: 'b' }",
        "export default ({ mode }) => {\n  return wrap(defineConfig({ a: 'b' }))\n}",
        "export default async function make() {\n  return { a: 'b' }\n}",
        "export default () => ({ a: 'b' })",
        "import { value } from './meta'\nexport default { a: value }",
        "import { other as value } from './meta'\nexport default { a: value }",
        "import value from './text'\nexport default { ...value }",
    ],
)
def test_forms_of_exports(text: str) -> None:
    modules = {
        "./meta": "export const value = 'b', x = 1\nexport const other = 'b'",
        "./text": "export default { a: 'b' }",
    }
    modules["./meta"] = "export const value = 'b'\nexport const other = 'b'"
    assert read(text, modules) == {"a": "b"}


def test_values_have_their_lines() -> None:
    config = read_javascript_config("// first\nexport default {\n  a: `x\n  y`,\n  b: 'c',\n}", no_module)
    assert config is not None
    assert [one.line for one in texts_in(config)] == [3, 5]


def test_imports_of_imported_files_and_json_are_read() -> None:
    modules = {
        "./nav": "import { version } from './version'\nexport function nav() { return [{ text: version }] }",
        "./version": "import list from './versions.json'\nexport const version = list[0]",
        "./versions.json": '["2.0", "1.0"]',
    }
    assert read("import { nav } from './nav'\nexport default { nav: nav() }", modules) == {"nav": [{"text": "2.0"}]}


@pytest.mark.parametrize("text", ["", "export default", "const a = a\nexport default a", "{", "export default 'text'"])
def test_file_without_an_object_has_no_config(text: str) -> None:
    assert read(text) is None


def test_constants_that_repeat_each_other_are_limited() -> None:
    doubled = "\n".join(f"const c{n} = [c{n - 1}, c{n - 1}]" for n in range(1, 60))
    config = read_javascript_config(f"const c0 = 'x'\n{doubled}\nexport default {{ a: c59 }}", no_module)
    assert config is not None
    assert sum(1 for _ in texts_in(entry(config, "a"))) <= MOST_VALUES


def test_imports_in_a_circle_end() -> None:
    assert read(
        "import { a } from './me'\nexport default { a }", {"./me": "import { a } from './me'\nexport { a }"}
    ) == {"a": ...}


def test_constants_and_functions_nested_in_each_other_are_limited() -> None:
    nested = "\n".join(
        f"const c{n} = {'[' * 20}f{n}(){']' * 20}\nfunction f{n}() {{ return c{n + 1} }}" for n in range(90)
    )
    assert read(f"{nested}\nexport default {{ a: c0, b: 'x' }}") is not None


HOSTILE_PARTS = """
[ | { | ( | [{ | `${ | ' | /* | /[ | ... | ) | } | \\ | ` | require( | x, | { a: | = / | return { | => ({ | a b
const a = | export default | import { a, | defineConfig( | { a() | 'a' + | function f() ) { | const a = () => {
"""


@pytest.mark.parametrize("part", [f"{part.strip()} " for line in HOSTILE_PARTS.split("\n") for part in line.split("|")])
def test_hostile_text_takes_linear_time(part: str) -> None:
    def work(length: int) -> None:
        read_javascript_config("export default { a: " + part * (length // len(part)), no_module)

    assert cpu_time_growth(work, 4_000) < MAX_LINEAR_GROWTH
