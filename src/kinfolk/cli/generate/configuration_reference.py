"""The models of a site's files and of the settings -> docs/configuration.md.

The meaning of a key is the docstring below its field. A field without one is an error.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import textwrap
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeGuard

from annotated_types import Ge, Gt
from pydantic import Discriminator

from kinfolk.branding import palette
from kinfolk.branding.palette import Palette
from kinfolk.config.catalog import Family, Library
from kinfolk.config.catalog.derived_facts import DERIVED_BY_FAMILY, DERIVED_BY_LIBRARY
from kinfolk.config.data_files import TextRule
from kinfolk.config.settings import PREFIX, SETTINGS, Network, Setting, Settings
from kinfolk.content import redirects
from kinfolk.content.redirects import RedirectFile
from kinfolk.content.sponsors import sponsor_config
from kinfolk.content.sponsors.sponsor_config import SponsorConfig
from kinfolk.search import ranking_config
from kinfolk.search.docs_index import meanings
from kinfolk.search.docs_index.meanings import MeaningFile
from kinfolk.search.ranking_config import RankingConfig
from kinfolk.statistics import npm_config
from kinfolk.statistics.npm_config import NpmConfig

FILES: Mapping[str, type[Any]] = {
    "kinfolk.toml": Family,
    "libraries/<id>.toml": Library,
    palette.FILE: Palette,
    redirects.FILE: RedirectFile,
    ranking_config.FILE: RankingConfig,
    f"{meanings.FOLDER}/<name>.toml": MeaningFile,
    sponsor_config.FILE: SponsorConfig,
    npm_config.FILE: NpmConfig,
}
"""Each file of a site and the class that it is read into."""

DERIVED: Mapping[type[Any], frozenset[str]] = {Family: DERIVED_BY_FAMILY, Library: DERIVED_BY_LIBRARY}
"""Keys whose default follows from other keys."""

INTRODUCTION = """\
# Configuration

<!-- Written by `make generate` from the models in Python. Do not edit: `make check` refuses a stale copy. -->

A site is configured in two places. Environment variables define where and how the server runs. The TOML files of
the site folder define the libraries and what the site shows. Both are read at the start. A wrong
variable stops it. What is wrong in a file is left out, and the log names the file and the key; only a site without
facts of the family or without a library is refused. `kinfolk settings` prints the settings in effect, `kinfolk check`
all faults.

A site folder has a `kinfolk.toml`; all other files are optional. A key that a file of the site lacks takes its value
from the file of the same name in `src/kinfolk/config/defaults/`. Tables are merged, lists are replaced.

- [Settings](#settings)
- [Types](#types)
"""

SETTINGS_INTRODUCTION = """\
## Settings

Environment variables. Relative paths start at the site folder, lists are separated by commas, and an empty
variable means the default.

"""

TYPES_INTRODUCTION = """\
## Types

Types of the keys in the files of a site. All texts are on one line.

"""

_PLAIN = {str: "text", int: "integer", float: "number", bool: "true or false", date: "date"}

_SETTING_TYPES: Mapping[Any, str] = {
    Path: "path",
    Path | None: "path",
    str: "text",
    int: "integer",
    float: "number",
    bool: "`on` or `off`",
    tuple[str, ...]: "list",
    tuple[Network, ...]: "list",
    tuple[str, int] | None: "address:port",
    Mapping[str, str]: "list of name=value",
}


class Row(NamedTuple):
    """One key of a table. `model` is the class of the table or tables that the key holds."""

    key: str
    type_name: str
    default: str
    meaning: str
    model: type[Any] | None
    is_list: bool


def configuration_reference() -> str:
    """The whole page. Raises TypeError for a field without a docstring, or of a type that has no words here."""
    contents = "".join(f"- [`{file}`](#{_anchor(file)})\n" for file in FILES)
    settings = _table(("Variable", "Type", "Default", "Meaning"), (_setting_cells(setting) for setting in SETTINGS))
    sections = (_file_section(file, model) for file, model in FILES.items())
    types = _table(
        ("Type", "Form"), sorted({(rule.name, rule.form) for file in FILES.values() for rule in _rules(file)})
    )
    head = [INTRODUCTION + contents, SETTINGS_INTRODUCTION + settings, TYPES_INTRODUCTION + types]
    return "\n".join([*head, *sections])


def rows(model: type[Any]) -> list[Row]:
    """The keys of one model, in the order of its fields."""
    meanings = field_docstrings(model)
    hints = typing.get_type_hints(model, include_extras=True)
    found = []
    derived = DERIVED.get(model, frozenset())
    for field in dataclasses.fields(model):
        if field.name not in meanings:
            raise TypeError(f"{model.__module__}.{model.__name__}.{field.name} has no docstring")
        inner, is_list = _inner_model(hints[field.name])
        type_name = _type_name(hints[field.name])
        found.append(
            Row(
                _key(model, field.name),
                type_name,
                "" if field.name in derived else _default(field),
                meanings[field.name],
                inner,
                is_list,
            )
        )
    return found


def _key(model: type[Any], name: str) -> str:
    """The name of a field in TOML: the model may give it another one, such as a keyword of Python."""
    rename = getattr(model, "__pydantic_config__", {}).get("alias_generator", lambda name: name)
    return str(rename(name))


def field_docstrings(model: type[Any]) -> dict[str, str]:
    """The docstring below each field, of the class and of the classes it extends."""
    found: dict[str, str] = {}
    for cls in reversed(model.__mro__):
        if not dataclasses.is_dataclass(cls):
            continue
        definition = typing.cast("ast.ClassDef", ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0])
        for statement, following in pairwise(definition.body):
            match statement, following:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ):
                    found[name] = " ".join(text.split())
    return found


def _file_section(file: str, model: type[Any]) -> str:
    return f"## `{file}`\n\n{_summary(model)}\n\n" + "\n".join(_model_tables(model, path=""))


def _model_tables(model: type[Any], *, path: str) -> Iterator[str]:
    """The table of a model, then those of the models within it, each below its TOML header."""
    keys = rows(model)
    yield _table(("Key", "Type", "Default", "Meaning"), (_key_cells(row) for row in keys))
    for row in keys:
        if row.model is not None:
            inner = f"{path}{row.key}"
            name = ".<name>" if row.type_name.startswith("table of ") else ""
            header = f"[[{inner}]]" if row.is_list else f"[{inner}{name}]"
            yield f"### `{header}`\n\n{_summary(row.model)}\n"
            yield from _model_tables(row.model, path=f"{inner}.")


def _table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "".join("| " + " | ".join(line).replace("|  |", "| |") + " |\n" for line in lines)


def _key_cells(row: Row) -> Sequence[str]:
    return f"`{row.key}`", row.type_name, row.default, row.meaning.replace("|", "\\|")


def _setting_cells(setting: Setting) -> Sequence[str]:
    default = f"`{setting.default}`" if setting.default else ""
    return f"`{setting.name}`", _setting_type(setting), default, setting.help


def _setting_type(setting: Setting) -> str:
    field = setting.name.removeprefix(PREFIX).lower()
    plain = typing.get_type_hints(Settings)[field]
    if typing.get_origin(plain) is Literal:
        return _type_name(plain)
    marks = typing.get_args(typing.get_type_hints(Settings, include_extras=True)[field])[1:]
    limits = (one.ge for mark in marks for one in getattr(mark, "metadata", ()) if isinstance(one, Ge))
    return _SETTING_TYPES[plain] + "".join(f", at least {limit}" for limit in limits)


def _summary(model: type[Any]) -> str:
    """The first paragraph of the class's docstring."""
    text = inspect.cleandoc(model.__doc__ or "")
    if text.startswith(f"{model.__name__}("):  # the signature, which dataclasses have instead of a docstring
        raise TypeError(f"{model.__module__}.{model.__name__} has no docstring")
    return " ".join(text.split("\n\n")[0].split())


def _rules(model: type[Any]) -> Iterator[TextRule]:
    """The rules of all texts in a model and in the models within it."""
    for annotation in typing.get_type_hints(model, include_extras=True).values():
        yield from _rules_of(annotation)


def _rules_of(annotation: Any) -> Iterator[TextRule]:
    if _is_model(annotation):
        yield from _rules(annotation)
    elif rule := _text_rule(annotation):
        yield rule
    else:
        for inner in typing.get_args(annotation):
            yield from _rules_of(inner)


def _text_rule(annotation: Any) -> TextRule | None:
    """The rule of an `Annotated` text: of several the last one, which is the strictest."""
    marks = typing.get_args(annotation)[1:] if typing.get_origin(annotation) is typing.Annotated else ()
    return next((mark for mark in reversed(marks) if isinstance(mark, TextRule)), None)


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return f"`{json.dumps(field.default_factory())}`"
    if field.default is dataclasses.MISSING:
        return "required"
    return "" if field.default is None or _is_model(type(field.default)) else f"`{json.dumps(field.default)}`"


def _inner_model(annotation: Any) -> tuple[type[Any] | None, bool]:
    """The dataclass in `Model`, `Model | None` or `tuple[Model, ...]`, and whether it is a list of them."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return _inner_model(args[0])
    if origin is tuple and _is_model(args[0]):
        return args[0], True
    if origin is Mapping and _is_model(args[1]):
        return args[1], False
    if origin is tuple and (model := _model_in_union(args[0])):
        return model, True
    return (annotation, False) if _is_model(annotation) else (None, False)


def _union_members(annotation: Any) -> tuple[Any, ...]:
    """The members of a union whose kinds a `Discriminator` distinguishes. Models are without their tags."""
    args = typing.get_args(annotation)
    if typing.get_origin(annotation) is not typing.Annotated or not isinstance(args[-1], Discriminator):
        return ()
    plain = ((typing.get_args(member)[0], member) for member in typing.get_args(args[0]))
    return tuple(model if _is_model(model) else member for model, member in plain)


def _model_in_union(annotation: Any) -> type[Any] | None:
    return next(filter(_is_model, _union_members(annotation)), None)


def _is_model(annotation: Any) -> TypeGuard[type[Any]]:
    return isinstance(annotation, type) and dataclasses.is_dataclass(annotation)


def _type_name(annotation: Any) -> str:
    """The type of a key in words."""
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if _is_model(annotation):
        return "table"
    if members := _union_members(annotation):
        return "s or ".join(map(_type_name, members))
    if rule := _text_rule(annotation):
        return rule.name
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated and any(Gt(0) in getattr(mark, "metadata", ()) for mark in args[1:]):
        return f"positive {_type_name(args[0])}"
    if origin is Literal:
        return ", ".join(f"`{json.dumps(value)}`" for value in args)
    if origin in (typing.Union, types.UnionType) and args[-1] is types.NoneType:
        return _type_name(args[0])
    if origin is tuple:
        return f"list of {_plural(args[0])}" if args[-1] is Ellipsis else f"pair of {_plural(args[0])}"
    if origin in (dict, Mapping):
        return f"table of {_plural(args[1])}"
    raise TypeError(f"{annotation!r} has no name in the reference")


def _plural(annotation: Any) -> str:
    noun, of, rest = _type_name(annotation).partition(" of ")
    return f"{noun}s{of}{rest}"


def _anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    letters = (letter for letter in heading.lower() if letter.isalnum() or letter in " -_")
    return "".join(letters).replace(" ", "-")
