"""Errors with the messages and statuses that the official clients expect."""

from __future__ import annotations

from kinfolk.runtime.budget import BUDGETS, OverBudget
from kinfolk.runtime.errors import SiteError


class ApiError(SiteError):
    """A mistake of the client. Clients avoid a host for minutes after a status of 500 or above."""

    code = "search"

    def __init__(self, message: str, status: int = 400, *, retry_after_s: int | None = None, limit: str = "") -> None:
        """`limit` names the exceeded limit, for the log and the metrics; empty for other mistakes."""
        super().__init__(message)
        self.status = status
        self.retry_after_s = retry_after_s
        self.limit = limit

    def body(self) -> dict[str, object]:
        return {"message": self.message, "status": self.status}


def over_budget(exceeded: OverBudget) -> ApiError:
    """The error for an exceeded budget."""
    budget = BUDGETS["search"]
    match exceeded.limit:
        case "time":
            message = f"The call took longer than {budget.time_s:g} s: send fewer or simpler searches in one call"
            return ApiError(message, 429, retry_after_s=1, limit="time")
        case "size" | "memory":
            most = f"{budget.answer_bytes} bytes"
            message = f"The answer would be larger than {most}: ask for fewer hits, attributes or searches"
            return ApiError(message, limit=exceeded.limit)
    return ApiError(exceeded.message, limit=exceeded.limit)


def too_long(name: str, most: int) -> ApiError:
    """The error for a string of more than `most` characters."""
    return ApiError(f"{name}: longer than {most} characters", limit="length")


def too_many(name: str, most: int, what: str) -> ApiError:
    """The error for a list of more than `most` items."""
    return ApiError(f"{name}: more than {most} {what}", limit="items")


def no_index(name: str) -> ApiError:
    return ApiError(f"Index {name} does not exist", 404)


def no_object() -> ApiError:
    return ApiError("ObjectID does not exist", 404)
