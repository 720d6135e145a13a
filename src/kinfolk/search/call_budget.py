"""What one call of the search protocol may still use, handed down to everything that works for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from kinfolk.budget import AnswerSize, Deadline


@dataclass(frozen=True)
class CallBudget:
    """Time and bytes of an answer, for all searches of the call together. For one thread at a time."""

    deadline: Deadline = field(default_factory=lambda: Deadline("search"))
    size: AnswerSize = field(default_factory=lambda: AnswerSize("search"))
