"""Tests of the limits of one answer."""

from __future__ import annotations

import asyncio

import pytest

from kinfolk.runtime.budget import BUDGETS, Deadline, OverBudget, check_shape, check_size, time_limit


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_deadline_raises_after_its_time() -> None:
    clock = Clock()
    deadline = Deadline("search", 2.0, clock=clock)
    clock.now_s += 1.9
    deadline.check()
    clock.now_s += 0.1
    with pytest.raises(OverBudget) as failed:
        deadline.check()
    assert (failed.value.kind, failed.value.limit, deadline.remaining_s) == ("search", "time", 0.0)


def test_input_at_the_depth_limit_is_accepted_and_one_level_more_is_refused() -> None:
    value: object = "x"
    for _ in range(BUDGETS["search"].input_depth):
        value = [value]
    check_shape("search", value)
    with pytest.raises(OverBudget, match="nested deeper than"):
        check_shape("search", {"inner": value})


def test_input_with_too_many_values_is_refused() -> None:
    check_shape("function", [1] * (BUDGETS["function"].input_items - 1))
    with pytest.raises(OverBudget, match="values were sent"):
        check_shape("function", [[1] * 100] * (BUDGETS["function"].input_items // 100))


def test_deeply_nested_input_is_refused_without_recursion() -> None:
    value: object = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(OverBudget):
        check_shape("page", value)


def test_answer_larger_than_its_budget_is_refused() -> None:
    check_size("search", BUDGETS["search"].answer_bytes)
    with pytest.raises(OverBudget):
        check_size("search", BUDGETS["search"].answer_bytes + 1)


async def _wait_in_a_limit_of_none(monkeypatch: pytest.MonkeyPatch, inner: BaseException | None) -> None:
    import kinfolk.runtime.budget as module

    instant = {**BUDGETS, "page": module.Budget(0.0, 1, 1, 1, 1, 1)}
    monkeypatch.setattr(module, "BUDGETS", instant)
    async with time_limit("page"):
        if inner is not None:
            raise inner
        await asyncio.Event().wait()


def test_awaited_work_is_cancelled_at_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OverBudget, match="took too long"):
        asyncio.run(_wait_in_a_limit_of_none(monkeypatch, None))


def test_timeout_of_the_work_itself_is_not_reported_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TimeoutError):
        asyncio.run(_wait_in_a_limit_of_none(monkeypatch, TimeoutError()))
