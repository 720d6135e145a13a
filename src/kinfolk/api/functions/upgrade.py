"""The page on which readers see what their project uses of the family, and what leads to the current versions."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated

from pydantic import StringConstraints

from kinfolk.api.registry import Call, registry, request_data
from kinfolk.api.upgrades.upgrade_plan import FamilyPackages, LibraryUpgrade, family_packages, upgrade_plan
from kinfolk.config.routes import UPGRADE_VALUE
from kinfolk.runtime.cache import DOCS


@request_data
class UpgradeRequest:
    """`packages` are `name@spec`, separated by commas, as the browser reads them in a `package.json`."""

    packages: Annotated[str, StringConstraints(max_length=UPGRADE_VALUE)] = ""


@dataclass(frozen=True)
class UpgradePage:
    """The packages that the site knows, and what the project of the request has of them."""

    family: tuple[FamilyPackages, ...]
    libraries: tuple[LibraryUpgrade, ...]


@registry.function("upgrade.plan", cache=DOCS)
async def plan_upgrade(call: Call, request: UpgradeRequest) -> UpgradePage:
    # In a thread: ranges are compared with the releases of each library.
    libraries = await asyncio.to_thread(upgrade_plan, call.docs, request.packages)
    return UpgradePage(family_packages(call.site.catalog), libraries)
