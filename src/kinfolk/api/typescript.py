"""The registry of functions -> `frontend/src/api/generated.ts`, so that the two languages cannot disagree."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal

from pydantic.alias_generators import to_camel

from kinfolk.api.registry import Html, Registry, is_omitted_if_empty, is_request_data

BANNER = "// Written by `make generate` from the functions in Python. Do not edit: `make check` refuses a stale copy.\n"

DOM_NAMES = frozenset(
    "Document Location Event Text Request Response Element Node Range Selection Comment History Cache File Blob Image "
    "Option Headers Navigator Screen Storage Window Worker Animation Plugin Lock Report Notification".split()
)
"""Types of the browser. A class of ours with such a name would quietly take its place in every module."""

_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Html: "Html"}


def typescript(registry: Registry, named: Mapping[str, Any]) -> str:
    """The whole generated module; `named` are unions that get a name. Raises TypeError for a type it cannot express."""
    writer = _Writer(named)
    rows = []
    for function in registry.functions.values():
        input = "null" if function.input_type is None else writer.write(function.input_type)
        output = " | ".join(dict.fromkeys(writer.write(each) for each in function.output_types)) or "never"
        rows.append(f"  '{function.id}': {{ input: {input}; output: {output}; method: '{function.method}' }}")
    functions = "export interface Functions {\n" + "\n".join(rows) + "\n}\n"
    return "\n".join([BANNER + "import type { Html } from './html'\n", functions, *writer.declared.values()])


class _Writer:
    """Collects the declarations that the functions' types need, in the order they are met."""

    def __init__(self, named: Mapping[str, Any]) -> None:
        self.declared = {name: f"export type {name} = {self._literal(union)}\n" for name, union in named.items()}
        self._named = {union: name for name, union in named.items()}
        self._classes: dict[str, Any] = {}

    def write(self, annotation: Any) -> str:
        """The TypeScript for a Python type, declaring what it is made of."""
        if annotation in _PLAIN:
            return _PLAIN[annotation]
        origin, args = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is typing.Annotated:
            return self.write(args[0])
        if origin is Literal:
            return self._named.get(annotation) or self._literal(annotation)
        if origin in (typing.Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.write(arg) for arg in args))
        if origin is tuple and len(args) == 2 and args[1] is Ellipsis:  # noqa: PLR2004 tuple[X, ...]
            item = self.write(args[0])
            return f"({item})[]" if " " in item else f"{item}[]"
        if origin in (dict, Mapping):
            return f"Record<{self.write(args[0])}, {self.write(args[1])}>"
        if dataclasses.is_dataclass(annotation):
            return self._declare(annotation)
        raise TypeError(f"{annotation!r} has no counterpart in TypeScript")

    @staticmethod
    def _literal(union: Any) -> str:
        return " | ".join(f"'{value}'" for value in typing.get_args(union))

    def _declare(self, cls: Any) -> str:
        name: str = cls.__name__
        if name in DOM_NAMES:
            raise TypeError(f"{name} is the name of a browser type: give {cls.__module__}.{name} another")
        if self._classes.setdefault(name, cls) is not cls:
            raise TypeError(f"two classes are called {name}")
        if name not in self.declared:
            self.declared[name] = ""
            hints = typing.get_type_hints(cls, include_extras=True)
            optional = is_request_data(cls)
            lines = []
            for field in dataclasses.fields(cls):
                mark = "?" if (optional and _has_default(field)) or is_omitted_if_empty(field) else ""
                lines.append(f"  {to_camel(field.name)}{mark}: {self.write(hints[field.name])}")
            self.declared[name] = f"export interface {name} {{\n" + "\n".join(lines) + "\n}\n"
        return name


def _has_default(field: dataclasses.Field[Any]) -> bool:
    return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
