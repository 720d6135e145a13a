"""Numbers that two pages state agree: frameworks, examples, versions and pages of each library, and their sums."""

from __future__ import annotations

import pytest
from tests.inputs.published_figures import disagreements

from kinfolk.site.site import Site

pytestmark = pytest.mark.anyio


async def test_figures_of_all_pages_agree(site: Site) -> None:
    assert await disagreements(site) == []
