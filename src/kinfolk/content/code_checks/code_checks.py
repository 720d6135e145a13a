"""What checks the code of a page, for callers that do not choose packages or start processes themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kinfolk.content.code_checks.check_results import PageCheck
from kinfolk.content.markdown.markdown_page import CodeBlock


class CodeChecks(Protocol):
    """For one thread."""

    def check_page(
        self, library: str, version: str, framework: str | None, blocks: Sequence[CodeBlock]
    ) -> PageCheck | None:
        """The check of the code blocks of a page, with the packages of a version of a library, by its id.

        None for a version without packages. Blocks for up to some seconds. Raises Unavailable.
        """
        ...

    def problems(self, library: str, version: str) -> Sequence[str]:
        """What could not be had of the packages, and why."""
        ...

    def close(self) -> None: ...
