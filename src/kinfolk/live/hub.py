"""Follows topics for the streams of one process: each change is encoded once and sent to all streams that follow it.

The latest state counts: a stream that cannot be written to gets the newest state later, not what came in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from kinfolk.live.topic_state import TopicState
from kinfolk.live.topics import Topic
from kinfolk.runtime.cache import LRUCache
from kinfolk.runtime.errors import NotFound

MOST_STATES = 2000
"""States of topics without followers, retained for the next follower."""
COMPUTED_AT_ONCE = 2
MOST_TRIES = 5

Resolve = Callable[[Topic], Awaitable[TopicState | None]]
"""The current state of a topic; None for one that does not exist. Raises Unavailable."""


class Follower(Protocol):
    """A stream."""

    def changed(self, state: TopicState, before: TopicState) -> None:
        """A topic that it follows has a new state. Does not block."""


class Hub:
    """For one event loop."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._states: dict[str, TopicState] = {}
        self._topics: dict[str, Topic] = {}
        self._followers: dict[str, set[Follower]] = {}
        self._idle: LRUCache[str, TopicState] = LRUCache(MOST_STATES)
        self._resolving = asyncio.Semaphore(COMPUTED_AT_ONCE)
        self._changes = 0

    async def follow(self, topics: Iterable[Topic], follower: Follower) -> list[TopicState]:
        """Register a stream, and return the states of its topics. Raises NotFound and Unavailable."""
        states = []
        for topic in topics:
            key = topic.key
            state = self._states.get(key) or self._idle.get(key) or await self._current(topic)
            if state is None:
                raise NotFound(f"There is nothing to follow at {key}")
            states.append(self._states.setdefault(key, state))
            self._topics[key] = topic
            self._followers.setdefault(key, set()).add(follower)
        return states

    async def _current(self, topic: Topic) -> TopicState | None:
        """The state, resolved again if something changed meanwhile: a topic without followers has no notifications."""
        for _ in range(MOST_TRIES):
            changes = self._changes
            async with self._resolving:
                state = self._states.get(topic.key) or await self._resolve(topic)
            if changes == self._changes:
                break
        return state

    def leave(self, topics: Iterable[Topic], follower: Follower) -> None:
        """Unregister a stream."""
        for topic in topics:
            followers = self._followers.get(topic.key, set())
            followers.discard(follower)
            if not followers:
                self._followers.pop(topic.key, None)
                self._topics.pop(topic.key, None)
                state = self._states.pop(topic.key, None)
                # Only of stored topics: `change` keeps their state current. Others are resolved again.
                if state is not None and topic.kind.stored:
                    self._idle.put(topic.key, state)

    def change(self, state: TopicState) -> None:
        """A topic has a new state: notify those who follow it."""
        before = self._states.get(state.key)
        self._changes += 1
        if before is None:
            self._idle.remove(state.key)
            return
        if before.version == state.version:
            return
        self._states[state.key] = state
        for follower in tuple(self._followers.get(state.key, ())):
            follower.changed(state, before)

    def state(self, key: str) -> TopicState | None:
        """The state of a topic that is followed."""
        return self._states.get(key)

    async def refresh(self, *names: str) -> None:
        """Resolve the followed topics of these names again, and notify the followers of those that have changed."""
        self._changes += 1
        for topic in [each for each in self._topics.values() if each.kind.name in names]:
            async with self._resolving:
                state = await self._resolve(topic)
            if state is not None:
                self.change(state)

    def follower_counts(self) -> dict[str, int]:
        """Streams by topic."""
        return {key: len(followers) for key, followers in self._followers.items()}
