"""The names of a code block, in the units of browsers and within the size of an answer."""

from __future__ import annotations

import json
import random
import string
import zlib

from kinfolk.api.functions.code_names import LARGEST_ANSWER, CodeNames, fitting_names
from kinfolk.api.registry import to_json
from kinfolk.content.code_checks.check_results import BlockCheck, NameUse, Option, PageCheck, Symbol
from kinfolk.content.docs.snapshots.content_reader import SymbolReference


def size(names: CodeNames) -> int:
    """Bytes of the answer as it is sent, compressed."""
    answer = json.dumps({"kind": "ok", "data": to_json(names)}, ensure_ascii=False, separators=(",", ":"))
    return len(zlib.compress(answer.encode()))


def test_positions_are_utf16_units() -> None:
    code = "\U0001f389\U0001f389 use('ü')"
    symbols = (Symbol("unused", "", "const", "p", "x"), Symbol("use", "", "function", "p", "use(): void"))
    names = fitting_names(PageCheck(symbols=symbols), BlockCheck("right", names=(NameUse(3, 3, 1),)), code, {})
    (use,) = names.names
    assert (names.length, use.start, use.length) == (len(code) + 2, 5, 3)
    assert code.encode("utf-16-le")[2 * use.start : 2 * (use.start + use.length)].decode("utf-16-le") == "use"
    # Only symbols that the block names are sent.
    assert [names.symbols[use.symbol].name, len(names.symbols)] == ["use", 1]


def test_symbol_has_what_its_page_and_its_types_say() -> None:
    symbol = Symbol("retry", "Options", "property", "p", "retry?: number", "How often.")
    block = BlockCheck("right", names=(NameUse(0, 5, 0),), missing_imports=("import { retry } from 'p'",))
    page = SymbolReference("/lib/latest/docs/reference/options#retry", "5.28", "Use retries.")
    names = fitting_names(PageCheck(symbols=(symbol,)), block, "retry", {0: page})
    assert to_json(names.symbols[0]) == {
        "name": "retry",
        "kind": "property",
        "owner": "Options",
        "signature": "retry?: number",
        "summary": "How often.",
        "since": "5.28",
        "deprecated": True,
        "deprecation": "Use retries.",
        "reference": "/lib/latest/docs/reference/options#retry",
    }
    assert names.missing_imports == ("import { retry } from 'p'",)


def test_answer_about_many_long_names_has_at_most_six_kilobytes() -> None:
    # Letters that no compression shortens.
    letters = random.Random(37)  # noqa: S311 - nothing secret

    def text(length: int) -> str:
        return "".join(letters.choices(string.ascii_letters + string.digits + "äλ\U0001f389", k=length))

    options = tuple(Option(text(60), text(300), text(300), deprecated=text(300)) for _ in range(80))
    symbols = tuple(
        Symbol(text(60), text(60), "function", "p", text(500), text(300), text(300), options) for n in range(100)
    )
    uses = tuple(NameUse(70 * n, 60, n) for n in range(100))
    block = BlockCheck("right", names=uses, missing_imports=tuple(text(250) for _ in range(12)))
    pages = {n: SymbolReference(f"/lib/latest/docs/{text(200)}", "5.28") for n in range(100)}
    names = fitting_names(PageCheck(symbols=symbols), block, text(70 * 100), pages)
    assert size(names) <= 6_000
    assert LARGEST_ANSWER < 6_000
    assert names.names
    assert all(symbol.signature.endswith("…") for symbol in names.symbols)
    assert {use.symbol for use in names.names} == set(range(len(names.symbols)))


def test_import_statements_are_complete_or_missing() -> None:
    block = BlockCheck("right", missing_imports=("import { a } from 'p'", f"import {{ {'b' * 1000} }} from 'p'"))
    assert fitting_names(PageCheck(), block, "a", {}).missing_imports == ()
