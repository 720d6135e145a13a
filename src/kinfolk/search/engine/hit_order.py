"""The final order of records: score, custom ranking, and one or more records of each group."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from kinfolk.search.engine.commit_view import Address, CommitView
from kinfolk.search.ranking.index_schema import RANKS

NO_RANK = 1e200
"""Where ranks begin that stand for none."""


def in_order(
    view: CommitView, found: list[Address], distinct: int, rank_score: float = 0
) -> tuple[list[Address], list[object]]:
    """By score, then by the custom ranking, with the group of each. Tantivy itself orders only within a segment.

    A group of which several records match ranks above one that mentions the words once. `rank_score` is added to the
    score for each point of the first attribute of the custom ranking.
    """
    if not found:
        return found, []
    groups = view.groups(found) if distinct else [None] * len(found)
    addresses = [address for _, address in found]
    columns = [
        [math.inf if value is None else -value for value in view.searcher.fast_field_values(name, addresses)]
        for name, _ in zip(RANKS, view.settings.ranks, strict=False)
    ]
    limit = view.settings.max_group_matches
    if distinct and limit and columns:
        matches = Counter(groups)
        columns[0] = [rank - min(matches[group], limit) for rank, group in zip(columns[0], groups, strict=True)]
    scores: list[float] = [-math.floor(score) for score, _ in found]
    if rank_score and columns:
        points = (rank if rank < NO_RANK else 0 for rank in columns[0])
        scores = [score + rank_score * rank for score, rank in zip(scores, points, strict=True)]
    keys = list(zip(scores, *columns, strict=True))
    order = sorted(range(len(found)), key=keys.__getitem__)
    return [found[at] for at in order], [groups[at] for at in order]


def best_of_groups(found: Sequence[Address], groups: Sequence[object], distinct: int) -> list[Address]:
    """The first `distinct` records of each group."""
    taken: dict[object, int] = {}
    best = []
    for address, group in zip(found, groups, strict=True):
        taken[group] = taken.get(group, 0) + 1
        if taken[group] <= distinct:
            best.append(address)
    return best
