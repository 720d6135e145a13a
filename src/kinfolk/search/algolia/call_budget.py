"""The remaining time and bytes of one API request."""

from __future__ import annotations

from dataclasses import dataclass, field

from kinfolk.runtime.budget import AnswerSize, Deadline


@dataclass(frozen=True)
class CallBudget:
    """For all searches of the request together. For one thread at a time."""

    deadline: Deadline = field(default_factory=lambda: Deadline("search"))
    size: AnswerSize = field(default_factory=lambda: AnswerSize("search"))
