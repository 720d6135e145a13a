"""Browser profiles with and without an account, which the tests of a file share."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect
from tests.browser.conftest import EMPTY_STORAGE, FAILED
from tests.servers.serving import Server

SKIPPED_TRANSITION = "Transition was skipped"
"""Chromium reports it for a page without view transitions, such as the outbox, that follows a page with them."""
CODE = re.compile(r"\d{4} \d{4}")


class Profiles:
    """Opens browser profiles, whose consoles must stay free of errors."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.errors: list[str] = []
        self._browser = browser
        self._server = server
        self._shared: dict[str, Page] = {}
        self._own: list[Page] = []

    def open(self, address: str = "", **options: object) -> Page:
        """The page of a new profile for one test, which is signed in if an address is given."""
        page = self._open(address, **options)
        self._own.append(page)
        return page

    def shared(self, address: str = "") -> Page:
        """The page of the profile of an account, or of the one without an account. All tests of the file use it."""
        page = self._shared.get(address)
        if page is None:
            page = self._shared[address] = self._open(address)
        elif not address:
            page.evaluate(EMPTY_STORAGE)
        return page

    def close(self, *, shared: bool) -> None:
        """Close the profiles of a test, or those that tests share, too."""
        for page in (*self._own, *(self._shared.values() if shared else ())):
            page.context.close()
        self._own.clear()
        if shared:
            self._shared.clear()

    def _open(self, address: str, **options: object) -> Page:
        context = self._browser.new_context(base_url=self._server.url, **options)  # type: ignore[arg-type]
        page = context.new_page()
        page.on("pageerror", lambda error: self._add(str(error)))
        page.on("console", lambda m: self._add(m.text) if m.type == "error" and not is_refusal(m) else None)
        if address:
            sign_in(page, address)
        return page

    def _add(self, error: str) -> None:
        if error != SKIPPED_TRANSITION:
            self.errors.append(error)


@pytest.fixture(scope="module")
def profiles_of_file(browser: Browser, server: Server) -> Iterator[Profiles]:
    profiles = Profiles(browser, server)
    yield profiles
    profiles.close(shared=True)


@pytest.fixture
def profiles(request: pytest.FixtureRequest, profiles_of_file: Profiles) -> Iterator[Profiles]:
    """Profiles for one test, and those that the tests of the file share. After a failure, all are opened again."""
    profiles_of_file.errors.clear()
    yield profiles_of_file
    errors = profiles_of_file.errors.copy()
    profiles_of_file.close(shared=request.node.stash.get(FAILED, False) or bool(errors))
    assert errors == []


def is_refusal(message: ConsoleMessage) -> bool:
    """Whether a message is about a form that the server refused, as it should."""
    return "/_server/overrides." in message.location["url"] and "400" in message.text


def sign_in(page: Page, address: str) -> None:
    """Send the forms of the sign-in without opening their pages. `sign_in_by_form` fills them in."""
    send_form(page, "email", email=address)
    send_form(page, "code", code=newest_code(page, address))


def send_form(page: Page, name: str, **fields: str | float | bool) -> None:
    headers = {"sec-fetch-site": "same-origin"}
    response = page.context.request.post(f"/auth/{name}", form=fields, headers=headers, max_redirects=0)
    assert response.status == 303, response.text()
    assert "error" not in response.headers["location"], response.headers


def sign_in_by_form(page: Page, address: str) -> None:
    page.goto("/login")
    page.get_by_label("Email address").fill(address)
    page.get_by_role("button", name="Send me a code").click()
    expect(page.get_by_role("heading", name="Enter your code")).to_be_visible()
    page.get_by_label("Code").fill(newest_code(page, address))
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_text(address).first).to_be_visible()


def newest_code(page: Page, address: str) -> str:
    """The code of the newest mail to an address."""
    outbox = page.context.request.get("/auth/outbox").text()
    code = CODE.search(outbox.partition(f"To {address}<")[2])
    assert code is not None
    return code[0]
