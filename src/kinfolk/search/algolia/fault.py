"""What is wrong with a request, in the words and with the status that the official clients expect."""

from __future__ import annotations

from kinfolk.errors import SiteError


class Fault(SiteError):
    """The client's mistake. Clients take anything from 500 up for a broken host, and leave it alone for minutes."""

    code = "search"

    def __init__(self, message: str, status: int = 400, *, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after_s = retry_after_s

    def body(self) -> dict[str, object]:
        return {"message": self.message, "status": self.status}


def no_index(name: str) -> Fault:
    return Fault(f"Index {name} does not exist", 404)


def no_object() -> Fault:
    return Fault("ObjectID does not exist", 404)
