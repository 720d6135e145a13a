"""One pool of Markdown processes for many sites and checks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from kinfolk.content.markdown.processes.jobs import MarkdownFile
from kinfolk.content.markdown.processes.messages import Message
from kinfolk.content.markdown.processes.process_pool import MarkdownProcessPool


class SharedMarkdownPool(MarkdownProcessPool):
    """A pool that outlives the sites that use it. It keeps the results of texts that depend on nothing else.

    Each site renders the posts of the sample site, which takes 0.2 s.
    """

    def __init__(self) -> None:
        super().__init__()
        self._results: dict[tuple[object, ...], Any] = {}

    def close(self) -> None:
        pass

    def _run(self, kind: str, read: Callable[[Message], Any], source: MarkdownFile, *options: Any) -> Any:
        framework, links = (*options, None, None)[:2]
        key = (kind, source.text, framework, self.first_framework, self.link_schemes, repr(source.place))
        if links is not None:
            return super()._run(kind, read, source, *options)
        if key not in self._results:
            reads: list[str] = []

            def read_target(path: str) -> str:
                reads.append(path)
                return source.read_target(path)

            result = super()._run(kind, read, dataclasses.replace(source, read_target=read_target), *options)
            if reads:
                return result
            self._results[key] = result
        return self._results[key]


@contextmanager
def shared_pool(*modules: str) -> Iterator[None]:
    """What these modules open uses one pool: to start its process takes 0.1 s."""
    pool = SharedMarkdownPool()
    with pytest.MonkeyPatch.context() as patch:
        for module in modules:
            patch.setattr(f"{module}.MarkdownProcessPool", lambda: pool)
        yield
    MarkdownProcessPool.close(pool)
