"""The HTTP session of exporters: it reads a bounded part of an answer, and follows no redirects."""

from __future__ import annotations

import io
from http import HTTPStatus
from typing import Any

import requests

MAX_ANSWER_BYTES = 64 << 10
"""Bytes of an answer that are read. An answer of OTLP has some hundred."""


class CollectorSession(requests.Session):
    """`requests` itself reads an answer to its end, which an endless one has not."""

    def __init__(self) -> None:
        super().__init__()
        # Of the environment only certificates count: a proxy would see the headers, and .netrc has other secrets.
        self.trust_env = False

    def send(self, request: requests.PreparedRequest, **kwargs: Any) -> requests.Response:
        """Raises ConnectionError for a redirect and an answer that is too long."""
        with super().send(request, **{**kwargs, "stream": True, "allow_redirects": False}) as arrived:
            if HTTPStatus.MULTIPLE_CHOICES <= arrived.status_code < HTTPStatus.BAD_REQUEST:
                raise requests.exceptions.InvalidURL("The collector redirects", request=request)
            body = arrived.raw.read(MAX_ANSWER_BYTES + 1, decode_content=False)
            if len(body) > MAX_ANSWER_BYTES:
                raise requests.exceptions.ContentDecodingError("The answer of the collector is too long")
            answer = requests.Response()
            answer.status_code, answer.reason, answer.headers = arrived.status_code, arrived.reason, arrived.headers
            answer.raw = io.BytesIO(body)
            return answer
