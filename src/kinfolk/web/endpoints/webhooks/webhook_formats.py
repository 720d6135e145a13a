"""How each kind of code host proves that it sent a request, and how it names the event and the delivery."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from kinfolk.config.code_hosts import HostKind


@dataclass(frozen=True)
class WebhookFormat:
    """How a code host proves that it sent a request, and how it names the event.

    `proof` is the kind of value in `proof_header`: the HMAC-SHA256 of the body in hexadecimal digits, or the secret.
    The first header of `id_headers` that a request has names the delivery. A host that repeats it sends the same value.
    """

    event_header: str
    push_events: tuple[str, ...]
    pull_request_event: str
    release_event: str
    proof_header: str
    proof: Literal["signature", "secret"]
    id_headers: tuple[str, ...]
    proof_prefix: str = ""


WEBHOOK_FORMATS: Mapping[HostKind, WebhookFormat] = {
    "github": WebhookFormat(
        "x-github-event",
        ("push",),
        "pull_request",
        "release",
        "x-hub-signature-256",
        "signature",
        ("x-github-delivery",),
        "sha256=",
    ),
    "gitlab": WebhookFormat(
        "x-gitlab-event",
        ("Push Hook", "Tag Push Hook"),
        "Merge Request Hook",
        "Release Hook",
        "x-gitlab-token",
        "secret",
        # Older versions send the second one only.
        ("idempotency-key", "x-gitlab-event-uuid"),
    ),
    # Forgejo sends the headers of Gitea, too.
    "codeberg": WebhookFormat(
        "x-gitea-event",
        ("push",),
        "pull_request",
        "release",
        "x-gitea-signature",
        "signature",
        ("x-gitea-delivery",),
    ),
}
"""Sources: GitHub "Validating webhook deliveries", GitLab "Webhooks", Forgejo "Webhooks"."""
