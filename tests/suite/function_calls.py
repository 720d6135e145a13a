"""Calls functions of the API over HTTP, as the browser does."""

from __future__ import annotations

import json

import httpx

from kinfolk.api.all_functions import registry


async def call(client: httpx.AsyncClient, id: str, data: object = None) -> httpx.Response:
    # Escaped, because a client may send text that is no Unicode.
    body = json.dumps({"data": data, "context": {}})
    if registry.functions[id].method == "POST":
        return await client.post(f"/_server/{id}", content=body, headers={"content-type": "application/json"})
    return await client.get(f"/_server/{id}", params={"createServerFn": "", "payload": body})
