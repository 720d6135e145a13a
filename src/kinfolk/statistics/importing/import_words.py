"""Messages for readers about the import of a package."""

from __future__ import annotations

from kinfolk.statistics.comparisons.chart_builder import MissingPackage
from kinfolk.statistics.importing.import_queue import QueuedPackage
from kinfolk.statistics.statistics_types import ImportStatus


def import_status(name: str, queued: QueuedPackage | None) -> ImportStatus:
    """The status of a package that is queued, or always imported."""
    match queued.status if queued else "importing":
        case "waiting":
            ahead = queued.ahead if queued else 0
            return ImportStatus(name, "waiting", _waiting_message(name, ahead), ahead)
        case "not_found":
            return ImportStatus(name, "not-found", f'Package "{name}" not found on npm', 0)
        case "complete":
            return ImportStatus(name, "complete", f"The downloads of {name} are stored.", 0)
        case _:
            return ImportStatus(name, "importing", f"The downloads of {name} are being fetched from npm.", 0)


def missing_package(name: str, status: ImportStatus | None) -> MissingPackage:
    """Why a package has no history. Without a status, its import may be requested."""
    if status is None:
        return MissingPackage("not-imported", f"The downloads of {name} have not been fetched from npm yet.")
    match status.state:
        case "waiting" | "not-found" as state:
            return MissingPackage(state, status.message)
        case "importing":
            return MissingPackage("importing", status.message)
        case _:
            return MissingPackage("no-data", f"npm has no downloads of {name}.")


def _waiting_message(name: str, ahead: int) -> str:
    if ahead == 0:
        return f"The downloads of {name} are fetched next."
    return f"The downloads of {name} are fetched after {ahead} other package{'s' if ahead > 1 else ''}."
