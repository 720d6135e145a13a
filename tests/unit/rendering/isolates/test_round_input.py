"""The input of a render round: an isolate gets each shared answer once."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from tests.unit.rendering.fake_ssr_bundle import BUNDLE, MANIFEST

from kinfolk.rendering.isolates import isolate as isolate_module
from kinfolk.rendering.isolates.isolate import Isolate
from kinfolk.rendering.isolates.round_input import RoundInput, SharedAnswer
from kinfolk.rendering.render_outcome import RenderedHtml

TITLE = json.dumps({"data": {"title": "Kin", "html": {"$html": ""}}})


def shared(number: int) -> SharedAnswer:
    return SharedAnswer(None, TITLE, f"/_shared/{number}")


def request(number: int) -> RoundInput:
    return RoundInput("/doc/x", {}, {'doc\n{"name":"x"}': shared(number)})


@pytest.fixture
def isolate() -> Iterator[Isolate]:
    isolate = Isolate(BUNDLE, MANIFEST, timeout_s=20.0, memory_mb=64)
    yield isolate
    isolate.close()


def test_shared_answer_is_in_the_first_request_only() -> None:
    held: set[str] = set()
    first, second = (json.loads(request(1).text(held)) for _ in range(2))
    assert first["held"] == {"/_shared/1": TITLE}
    assert second["held"] == {}
    assert first["shared"] == second["shared"] == {'doc\n{"name":"x"}': "/_shared/1"}


def test_isolate_renders_with_answers_that_it_holds(isolate: Isolate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolate_module, "MOST_HELD", 3)
    for number in (1, 1, 2, 3, 4, 1, 2):
        outcome = isolate.render(request(number)).outcome
        assert isinstance(outcome, RenderedHtml)
        assert "<h1>Kin</h1>" in outcome.html
