"""Dependents of a package: how many packages declare it as a dependency, from npm's search.

    await NpmDependents("https://registry.example/-/v1/search", now=utc_now).count("@acme/react-query")

The search is the only documented source of the count; web pages are not read.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from kinfolk.runtime.errors import NotFound, Unavailable
from kinfolk.runtime.upstream.upstream_client import (
    ANSWER_S,
    MAX_COUNT,
    TIMEOUT_S,
    FetchedCount,
    UpstreamClient,
    is_count,
)

SIZE = 5
"""Requested results. The package with exactly the searched name is the first one as a rule."""
MAX_RESULTS = 250
MAX_DIGITS = len(str(MAX_COUNT))


class _NamedPackage(BaseModel):
    name: str


class _SearchResult(BaseModel):
    """`dependents` is checked for the requested package only."""

    package: _NamedPackage
    dependents: object = None


class _SearchAnswer(BaseModel):
    objects: Annotated[tuple[_SearchResult, ...], Field(max_length=MAX_RESULTS)]


_ANSWER = TypeAdapter(_SearchAnswer)


class NpmDependents:
    """A client of a package search that answers as npm's registry does."""

    def __init__(
        self,
        address: str,
        *,
        now: Callable[[], datetime],
        timeout_s: float = TIMEOUT_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        """`now` is in UTC, without a time zone."""
        self._address = address
        self._client = UpstreamClient("The package search", now=now, timeout_s=timeout_s, answer_s=answer_s)

    async def count(self, package: str) -> FetchedCount:
        """The dependents of a package, in one request.

        Raises NotFound if the search does not find the package or has no count of it, RequestsRefused, and Unavailable.
        """
        answer = await self._client.get(self._address, {"text": package, "size": SIZE})
        try:
            results = _ANSWER.validate_json(answer.body).objects
        except ValidationError as wrong:
            reason = wrong.errors()[0]["msg"]
            raise Unavailable(f"The answer of the package search for {package} is invalid: {reason}") from wrong
        found = next((one for one in results if one.package.name == package), None)
        if found is None or found.dependents is None:
            raise NotFound(f"The package search has no dependents of {package}")
        return FetchedCount(_count(package, found.dependents))


def _count(package: str, given: object) -> int:
    """A count that is a number, or text with a number."""
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) <= MAX_DIGITS:
        given = int(given)
    if not isinstance(given, int) or not is_count(given):
        raise Unavailable(f"The package search answers {str(given)[:40]!r} dependents of {package}")
    return given
