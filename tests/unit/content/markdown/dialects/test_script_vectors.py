"""No dialect lets active content pass, whichever of its components or directives has it."""

from __future__ import annotations

import pytest
from tests.inputs.dialect_pages import dialect_file
from tests.inputs.script_vectors import COMPONENT_VECTORS, SCRIPT_VECTORS, dangers

from kinfolk.content.markdown.dialects.dialect_table import DIALECTS
from kinfolk.content.markdown.processes.jobs import InProcessJobs


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_active_content_is_removed_in_each_dialect(dialect: str) -> None:
    found = {
        text: dangers(InProcessJobs().page(dialect_file(dialect, f"# Page\n\n{text}\n")))
        for text in (*SCRIPT_VECTORS, *COMPONENT_VECTORS)
    }
    assert {text: danger for text, danger in found.items() if danger} == {}
