"""Sentences and buttons of pages that fit only some families, with neutral defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from kinfolk.config.data_files import Slug, TextLine, is_site_path, is_url, satisfies


def _is_target(text: str) -> bool:
    return is_site_path(text) or is_url(text) or (text.startswith("#") and text[1:].isidentifier())


LinkTarget = Annotated[
    str, satisfies(_is_target, "path, URL or fragment", "a path on this site, an https:// address or #libraries")
]


@dataclass(frozen=True)
class HomeButton:
    """A button of the home page."""

    label: TextLine
    """Text of the button."""
    to: LinkTarget
    """Target: a path on this site, an https URL, or `#libraries` for the cards of the libraries."""
    kind: Literal["primary", "plain"] = "plain"
    """How prominent the button is. One is `primary` at most."""
    icon: Slug | None = None
    """Name of an icon before the text."""


LIBRARIES_BUTTON = HomeButton("See the libraries", "#libraries", "primary")
"""The button of a home page that names none."""


@dataclass(frozen=True)
class Texts:
    """Sentences of pages."""

    libraries: TextLine = "Open-source libraries"
    """Heading above the cards of the home page."""
    sponsors: TextLine = "Sponsors pay for the time it takes to answer issues, test releases and write docs."
    """Paragraph about sponsors on the home page."""
    landing_sponsors_title: TextLine = "Free, thanks to sponsors"
    """Heading of the sponsors on landing pages."""
    landing_sponsors: TextLine = (
        "{library} is open source and free to use. Companies and people fund the work on it and on the rest of the "
        "family."
    )
    """Paragraph about sponsors on landing pages. `{library}` stands for the name of the library."""
    community_title: TextLine = "Join the community"
    """Heading above the link to the chat on the home page."""
    community: TextLine = (
        "Ask a question, float an idea, or tell us what a release broke. The maintainers and other users are on {chat}."
    )
    """Paragraph about the chat. `{chat}` stands for the label of the link in `social`."""
    footer_note: TextLine | None = None
    """Text of the footer in place of `©` and the owner."""
