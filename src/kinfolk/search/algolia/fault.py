"""What is wrong with a request, in the words and with the status that the official clients expect."""

from __future__ import annotations

from kinfolk.budget import BUDGETS, OverBudget
from kinfolk.errors import SiteError


class Fault(SiteError):
    """The client's mistake. Clients take anything from 500 up for a broken host, and leave it alone for minutes."""

    code = "search"

    def __init__(self, message: str, status: int = 400, *, retry_after_s: int | None = None, limit: str = "") -> None:
        """`limit` names the limit that was exceeded, for the log and the metrics; empty for other mistakes."""
        super().__init__(message)
        self.status = status
        self.retry_after_s = retry_after_s
        self.limit = limit

    def body(self) -> dict[str, object]:
        return {"message": self.message, "status": self.status}


def over_budget(exceeded: OverBudget) -> Fault:
    """The budget that a call exceeded, as its client is told."""
    budget = BUDGETS["search"]
    match exceeded.limit:
        case "time":
            message = f"The call took longer than {budget.time_s:g} s: send fewer or simpler searches in one call"
            return Fault(message, 429, retry_after_s=1, limit="time")
        case "size" | "memory":
            most = f"{budget.answer_bytes} bytes"
            message = f"The answer would be larger than {most}: ask for fewer hits, attributes or searches"
            return Fault(message, limit=exceeded.limit)
    return Fault(exceeded.message, limit=exceeded.limit)


def too_long(name: str, most: int) -> Fault:
    """A text of a request that has more than `most` characters."""
    return Fault(f"{name}: longer than {most} characters", limit="length")


def too_many(name: str, most: int, what: str) -> Fault:
    """A list of a request that has more than `most` items."""
    return Fault(f"{name}: more than {most} {what}", limit="items")


def no_index(name: str) -> Fault:
    return Fault(f"Index {name} does not exist", 404)


def no_object() -> Fault:
    return Fault("ObjectID does not exist", 404)
