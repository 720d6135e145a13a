"""Words and names that this project does not use in its identifiers, each with the standard term."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "anybody": "name the actor: client, reader, caller",
    "doubting": "typo fallback",
    "edition": "docs snapshot, snapshot",
    "editions": "DocsPublisher",
    "elsewhere": "Redirected, external",
    "everybody": "name the actor: client, reader, caller",
    "foresee": "prefetch hint",
    "foresight": "prefetch hint",
    "historian": "HistoryFetcher",
    "keeper": "IndexUpdater",
    "kindness": "NICENESS",
    "nobody": "name the actor: client, reader, caller",
    "settle": "applyPreferences, wait until idle",
    "shelf": "BranchDocs, IndexHandle",
    "docs_from_files": "BranchDocs",
    "shelves": "BranchDocs",
    "sister": "prefix alias",
    "sisters": "prefix aliases",
    "somebody": "name the actor: client, reader, caller",
    "starter": "boot script",
    "tell": "notify, report, send",
    "tells": "notifies, reports, sends",
    "threw": "RenderError",
    "told": "notified, prefetched data",
    "volume": "VersionDocs",
    "volumes": "VersionDocs",
    "whoever": "name the actor: client, reader, caller",
    "wording": "markdown export",
    "wordings": "markdown_export",
}
"""Forbidden as any word of an identifier."""

NAMES: Mapping[str, str] = {
    "Ask": "Call, Request",
    "Asked": "QueryTerm",
    "ask": "call, request, query",
    "asked": "requested, or what was requested",
    "asking": "client",
    "BuildApart": "SubprocessBuilder",
    "BuildHere": "InProcessBuilder",
    "Moved": "Redirect",
    "Need": "a pending query",
    "Needs": "pending queries",
    "Pauses": "QuerySessions",
    "Place": "DocsAddress",
    "Question": "SearchQuery",
    "Reach": "SearchScope",
    "Recent": "LRUCache",
    "Searches": "QueryLog",
    "SharedRecent": "ThreadSafeLRUCache",
    "Worth": "RankingWeights",
    "framed_by": "frame_ancestors",
    "fronts": "front_matter",
    "kept": "cached, stored",
    "last_resort": "remove_words_if_no_results",
    "letIn": "loadThirdParty",
    "look_back": "fetch_history",
    "reveal": "scrollMenuToActive",
    "succeed": "with_snapshot",
}
"""Forbidden as a whole identifier."""

COMPONENTS: Mapping[str, str] = {
    "Around": "PrevNext",
    "Before": "SearchStart",
    "Box": "SearchBox",
    "Doors": "SupportOptions",
    "Finder": "SearchDialog",
    "Outside": "ThirdPartyScript",
    "Places": "QuickLinks",
    "Words": "EmptyState",
    "Written": "ProsePage",
}
"""Forbidden as a whole identifier in the frontend."""

MODULES: Mapping[str, str] = {
    "apart": "subprocess_builder",
    "archive": "mirror_history",
    "flight": "single_flight",
    "foresight": "prefetch_hints",
    "installed": "web_manifest",
    "keeper": "index_updater",
    "listing": "llms_txt",
    "midnight": "daily_purge",
    "packed": "compression",
    "pauses": "query_sessions",
    "plain": "markdown_export",
    "protocol": "algolia.api",
    "rules": "ranking_config",
    "searches": "query_log",
    "shelf": "branch_docs",
    "shown": "results_view",
    "text": "the kind of text: crawler_files, text_cache",
}
"""Former names of modules of src/kinfolk."""

ACTORS = "somebody nobody anybody everybody whoever".split()
"""Indefinite actors. Prose names who acts."""
