"""Checks the repositories, branches and paths of requests, and lists the versions of a library."""

from __future__ import annotations

from kinfolk.api.registry import Call
from kinfolk.config.catalog import LATEST, Library
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.branch_reader import BranchReader
from kinfolk.runtime.errors import Invalid


def requested_ref(repo: str, branch: str | None) -> Ref:
    if not branch:
        raise Invalid("Invalid branch")
    return Ref(repo, branch)


def requested_path(path: str | None) -> str:
    if not path:
        raise Invalid("Invalid docPath")
    return path


def published_versions(call: Call, library: Library) -> list[tuple[str, BranchReader]]:
    """Each version that there is a copy of, by its name in URLs: the latest first."""
    branches = [(segment, call.docs.find_branch(library.ref(segment))) for segment in (LATEST, *library.version_names)]
    return [(segment, branch) for segment, branch in branches if branch is not None]


def version_frameworks(call: Call, library: Library, version: str) -> tuple[str, ...]:
    """The frameworks that a version has pages for: those of the catalog in its order, then the others."""
    facts = library.docs_facts(version)
    return call.site.catalog.sort_frameworks(call.docs.branch(facts.ref).frameworks(facts.docs_root))
