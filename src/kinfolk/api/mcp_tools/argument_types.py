"""Types of arguments. Descriptions are shown to language models; lengths are limited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeVar, dataclass_transform

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from kinfolk.statistics.package_name import is_package_name

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def tool_arguments(cls: type[T]) -> type[T]:
    """Make a frozen dataclass that is read from JSON. Unknown arguments are refused: they may be misspelled ones."""
    cls.__pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[attr-defined]
    return dataclass(frozen=True)(cls)


def _single_line(given: object) -> object:
    return " ".join(given.split()) if isinstance(given, str) else given


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("contains a character that cannot be printed")
    return text


def _package_name(name: str) -> str:
    if not is_package_name(name):
        raise ValueError("is not a name that a package on npm can have")
    return name


_Printable = AfterValidator(_printable)
Query = Annotated[
    str,
    Field(min_length=1, max_length=512, description="Words to search for, such as an API name or a question."),
    BeforeValidator(_single_line),
    _Printable,
]
LibraryId = Annotated[
    str, Field(min_length=1, max_length=60, description='Id of a library, such as "query".'), _Printable
]
OptionalLibraryId = Annotated[
    str, Field(max_length=60, description='Id of a library, such as "query"; empty for all.'), _Printable
]
FrameworkName = Annotated[
    str, Field(max_length=60, description='Name of a framework, such as "react"; empty for all.'), _Printable
]
VersionName = Annotated[
    str, Field(min_length=1, max_length=60, description='Version of the docs, such as "v5" or "latest".'), _Printable
]
PageAddress = Annotated[
    str,
    Field(max_length=2048, description="Address of a docs page on this site, absolute or from the first slash on."),
    _Printable,
]
PagePath = Annotated[
    str, Field(max_length=1024, description='Path of the page below the docs, such as "guides/caching".'), _Printable
]
PackageName = Annotated[str, Field(min_length=1, max_length=214), AfterValidator(_package_name)]
