"""Components of docs pages: how a tag or directive of a program is shown. Markdown processes import it: no pydantic."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

ComponentShape = Literal[
    "badge",
    "callout",
    "card",
    "cards",
    "code",
    "code-tabs",
    "commands",
    "content",
    "embed",
    "field",
    "figure",
    "file",
    "file-tree",
    "fold",
    "folder",
    "generated",
    "image",
    "key",
    "link",
    "mark",
    "nothing",
    "reference",
    "section",
    "step",
    "steps",
    "tab",
    "tabs",
    "text",
]
CalloutKind = Literal["note", "tip", "important", "warning", "caution"]

_ATTRIBUTE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_ADDRESS = re.compile(r"https://[^\s<>\"'{}/]{1,200}(?:/(?:[^\s<>\"'{}]|\{[A-Za-z][A-Za-z0-9_-]{0,39}\}){0,300})?")


@dataclass(frozen=True)
class Component:
    """How a component that docs pages use is shown."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {
        "extra": "forbid",
        "strict": True,
        "alias_generator": lambda name: "as" if name == "shape" else name,
    }

    shape: ComponentShape
    """What the component becomes. `content` shows only what it encloses, `text` the value of an attribute; `nothing`
    leaves it out, as `generated`, of which `kinfolk check` reports that the original program makes it."""
    title: tuple[str, ...] = ()
    """Attributes that hold the title or label. The first that has a value decides. Without it, the usual names."""
    text: tuple[str, ...] = ()
    """Attributes that hold the text. Without it, the usual names."""
    link: tuple[str, ...] = ()
    """Attributes that hold the address. Without it, the usual names."""
    kind: CalloutKind | None = None
    """Kind of a callout. Without it, the attribute `type` decides."""
    address: str | None = None
    """Address of an embed, a link or an image, with attributes in braces: `https://stackblitz.com/edit/{id}`."""
    prefix: str | None = None
    """What precedes the caption of a figure, with attributes in braces: `Listing {number}`. Left out without them."""
    file: tuple[str, ...] = ()
    """Attributes of a figure that hold the name of the file that its code is from."""
    has_markdown: bool = False
    """Whether titles are Markdown, and no plain text."""
    label: str | None = None
    """Title of a component without one; of a `reference`, the words before its link."""
    command: str | None = None
    """Command for npm that `commands` shows for each package manager, with attributes in braces:
    `npm install {name}`."""

    def __post_init__(self) -> None:
        """Raises ValueError, which names the key."""
        for key in ("title", "text", "link", "file"):
            for name in getattr(self, key):
                if not _ATTRIBUTE.fullmatch(name):
                    raise ValueError(f"{key} should have names of attributes, such as `title`")
        if self.address is not None and not _ADDRESS.fullmatch(self.address):
            raise ValueError("address should be an https address with attributes in braces behind its host")
