"""The dashboard in a browser: signed out, signed in, merged; notes, bookmarks, feedback; maintainers; accessibility."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from lxml import html
from playwright.sync_api import Page, expect
from tests.browser.accounts.profiles import Profiles, profiles, profiles_of_file, sign_in, sign_in_by_form
from tests.browser.axe import violations
from tests.browser.conftest import wait_until
from tests.servers.serving import LEAN, Server, serving

__all__ = ["profiles", "profiles_of_file"]

MAINTAINER = "grace@example.com"
READER = "ada@example.com"
PAGE = "/query/latest/docs/framework/react/overview"
NUMBERS = count(1)


@pytest.fixture(scope="module")
def server(built: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert built
    environment = LEAN | {"KINFOLK_MAINTAINERS": MAINTAINER}
    with serving(tmp_path_factory.mktemp("dashboard"), environment=environment) as found:
        yield found


def new_address() -> str:
    return f"reader{next(NUMBERS)}@example.com"


def interact(page: Page) -> None:
    """Move the pointer, and wait for the scripts that this loads on docs pages: their forms work without, too."""
    page.mouse.move(3, 3)
    page.mouse.move(9, 9)
    expect(page.locator("link[href*='page-notes']")).to_have_count(1)


def bookmark(page: Page, path: str = PAGE) -> None:
    page.goto(path)
    interact(page)
    button = page.locator("[data-bookmark]")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def write_note(page: Page, text: str) -> None:
    page.get_by_role("button", name="Write a note").click()
    dialog = page.get_by_role("dialog", name="Your note")
    dialog.get_by_label("Section").select_option(index=1)
    dialog.get_by_label("Note", exact=True).fill(text)
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator(".note-mark")).to_have_count(1)


PENDING = """Object.keys(localStorage).some(
  (key) => key.startsWith('saved:') && localStorage[key].includes('"pending":true')
)"""


def exchanged(page: Page) -> None:
    """Wait until the browser has no change that the server does not have."""
    wait_until(page, lambda: page.evaluate(PENDING) is False, "all changes are exchanged")


def test_signed_out_reader_saves_in_the_browser(profiles: Profiles) -> None:
    page = profiles.shared()
    bookmark(page)
    write_note(page, "Compare with SWR")
    page.goto("/dashboard")
    expect(page.get_by_text("Not signed in: saved only in this browser")).to_be_visible()
    expect(page.get_by_role("heading", name="Bookmarks 1")).to_be_visible()
    expect(page.get_by_text("Compare with SWR")).to_be_visible()
    page.get_by_role("button", name="Remove Overview").click()
    expect(page.get_by_role("heading", name="Bookmarks 1")).to_have_count(0)
    page.get_by_role("button", name=re.compile("Delete the note")).click()
    expect(page.get_by_text("Compare with SWR")).to_have_count(0)
    page.goto("/dashboard/account")
    expect(page.get_by_text("Sign in to see this page.")).to_be_visible()


def test_account_on_two_devices_from_sign_in_to_deletion(profiles: Profiles) -> None:
    address = new_address()
    desktop, phone = profiles.open(), profiles.open(viewport={"width": 375, "height": 800}, has_touch=True)
    # Items are merged at the sign-in.
    bookmark(desktop)
    write_note(desktop, "Of the desktop")
    sign_in_by_form(desktop, address)
    exchanged(desktop)
    bookmark(phone, "/query/latest/docs/framework/react/quick-start")
    sign_in(phone, address)
    phone.goto("/dashboard")
    exchanged(phone)
    expect(phone.get_by_role("heading", name="Bookmarks 2")).to_be_visible()
    expect(phone.get_by_text("Of the desktop")).to_be_visible()
    desktop.reload()
    expect(desktop.get_by_role("heading", name="Bookmarks 2")).to_be_visible()
    assert violations(desktop) == []
    # Preferences hold on all devices.
    desktop.goto("/dashboard/account")
    expect(desktop.get_by_text(address).first).to_be_visible()
    expect(desktop.get_by_text("Loading…")).to_have_count(0)
    assert violations(desktop) == []
    desktop.get_by_role("combobox", name="Theme").click()
    desktop.get_by_role("option", name="Dark").click()
    expect(desktop.locator("html.dark")).to_have_count(1)
    exchanged(desktop)
    phone.goto("/dashboard/account")
    expect(phone.get_by_role("combobox", name="Theme")).to_contain_text("Dark")
    # A page shows what another device has saved.
    phone.goto(PAGE)
    interact(phone)
    expect(phone.locator("[data-bookmark]")).to_have_attribute("aria-pressed", "true")
    expect(phone.locator("html.dark")).to_have_count(1)
    # A sign-out removes the items of the account.
    phone.goto("/dashboard")
    phone.get_by_role("button", name="Sign out").click()
    phone.wait_for_url("**/")
    expect(phone.locator("a", has_text="Sign in")).to_have_count(1)
    expect_empty_dashboard(phone)
    # The account is exported and deleted.
    with desktop.expect_download() as downloaded:
        desktop.get_by_role("link", name="Export my data").click()
    content = json.loads(downloaded.value.path().read_text())
    assert content["account"]["email"] == address
    desktop.get_by_role("button", name="Delete my account").click()
    dialog = desktop.get_by_role("dialog")
    dialog.get_by_label(re.compile("to confirm")).fill(address)
    dialog.get_by_role("button", name="Delete my account").click()
    desktop.wait_for_url("**/")
    expect_empty_dashboard(desktop)


def expect_empty_dashboard(page: Page) -> None:
    page.goto("/dashboard")
    expect(page.get_by_text("Not signed in: saved only in this browser")).to_be_visible()
    expect(page.get_by_text("Press the bookmark button")).to_be_visible()


def test_saved_comparison_gets_a_public_link(profiles: Profiles, server: Server) -> None:
    page = profiles.shared(READER)
    page.goto("/stats/npm?range=30-days")
    interact(page)
    page.get_by_role("button", name="Save").hover()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="On your dashboard").click()
    page.get_by_role("button", name="Get a public link").click()
    link = page.locator(".saved-about a")
    expect(link).to_contain_text(f"{server.url}/stats/npm/saved/")
    stranger = profiles.shared()
    stranger.goto(link.inner_text())
    assert "range=30-days" in stranger.url
    page.get_by_role("button", name="Make private").click()
    expect(link).to_have_count(0)


def test_visitors_do_not_see_pages_of_maintainers(profiles: Profiles) -> None:
    page = profiles.shared(READER)
    page.goto("/dashboard/searches")
    expect(page.get_by_text("Only maintainers of this site can see this page.")).to_be_visible()
    expect(page.get_by_text(READER).first).to_be_visible()
    expect(page.get_by_role("link", name="Searches")).to_have_count(0)


def test_feedback_reaches_the_maintainers_queue(profiles: Profiles) -> None:
    reader, maintainer = profiles.shared(), profiles.shared(MAINTAINER)
    note = f"The example lacks import {next(NUMBERS)}."
    reader.goto(PAGE)
    interact(reader)
    reader.get_by_role("button", name="No", exact=True).click()
    expect(reader.locator(".feedback-status")).to_have_text("Thank you for your answer.")
    field = reader.get_by_label("What is missing, wrong or good?")
    field.fill(note)
    reader.locator(".feedback").get_by_role("button", name="Send").click()
    # The field is hidden when the note is stored.
    expect(field).to_be_hidden()
    maintainer.goto("/dashboard/feedback")
    entry = maintainer.locator(".saved-row", has_text=note)
    expect(entry.get_by_text("not helpful")).to_be_visible()
    assert violations(maintainer) == []
    issue = entry.get_by_role("link", name="Open an issue").get_attribute("href") or ""
    assert issue.startswith("https://github.com/TanStack/query/issues/new?")
    entry.get_by_role("button", name="Done").click()
    expect(entry).to_have_count(0)
    maintainer.get_by_role("button", name="Done", exact=True).first.click()
    expect(maintainer.get_by_text(note)).to_be_visible()


def test_feedback_and_sign_in_work_without_scripts(profiles: Profiles) -> None:
    page = profiles.open(java_script_enabled=False)
    page.goto(PAGE)
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    page.goto("/login")
    page.get_by_label("Email address").fill(new_address())
    page.get_by_role("button", name="Send me a code").click()
    page.get_by_role("link", name="Open the outbox").click()
    link = re.search(r"http\S+/auth/link/\S+", page.locator("pre").first.inner_text())
    assert link is not None
    page.goto(link[0])
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()


FOOTER = "//*[@data-slot='footer']"


def test_promotion_is_on_the_pages_until_it_is_removed(profiles: Profiles) -> None:
    maintainer, reader = profiles.shared(MAINTAINER), profiles.shared()
    maintainer.goto("/dashboard/promotions")
    maintainer.get_by_role("button", name="New promotion").click()
    dialog = maintainer.get_by_role("dialog", name="New promotion")
    save = dialog.get_by_role("button", name="Save")
    save.click()
    expect(dialog.get_by_role("alert")).to_have_text("Not saved. Choose at least one box.")
    dialog.get_by_label("footer").check()
    save.click()
    expect(dialog.get_by_label("Title")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Title").fill("Conference")
    dialog.get_by_label("Text").fill("Three days in May.")
    dialog.get_by_label("Address").fill("/blog")
    assert violations(maintainer) == []
    save.click()
    row = maintainer.locator(".saved-row", has_text="Conference")
    expect(row.get_by_text("shown")).to_be_visible()
    assert violations(maintainer) == []
    responds(reader, PAGE, lambda page: "Announcement: Conference" in labels_of_promotions(page))
    reader.goto(PAGE)
    box = reader.get_by_role("complementary", name="Announcement: Conference")
    expect(box.get_by_role("link", name="Conference")).to_have_attribute("href", "/blog")
    row.get_by_role("button", name="Change Conference").click()
    maintainer.get_by_label("Leave these boxes empty").check()
    maintainer.get_by_role("button", name="Save").click()
    empty = maintainer.locator(".saved-row", has_text="Empty boxes")
    expect(empty).to_be_visible()
    responds(reader, PAGE, lambda page: not page.xpath(FOOTER))
    empty.get_by_role("button", name="Remove Empty boxes").click()
    maintainer.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(maintainer.get_by_text("The boxes show libraries and partners.")).to_be_visible()
    responds(reader, PAGE, lambda page: sum("Partner of" in label for label in labels_of_promotions(page)) == 1)


def test_maintainer_reads_why_a_delivery_was_refused(profiles: Profiles, server: Server) -> None:
    maintainer = profiles.shared(MAINTAINER)
    assert maintainer.context.request.post(f"{server.url}/_hooks/github", data="{}").status == 404
    maintainer.goto("/dashboard/deliveries")
    delivery = maintainer.get_by_role("listitem").filter(has_text="Unverified request")
    # The page loads the list again until the row is written.
    expect(delivery).to_contain_text("KINFOLK_WEBHOOK_SECRET is not set", timeout=30_000)
    expect(delivery).to_contain_text("refused")
    assert violations(maintainer) == []
    maintainer.get_by_role("button", name="Accepted").click()
    expect(maintainer.get_by_text("No delivery of the last 30 days has this result.")).to_be_visible()


def test_sponsor_is_shown_until_it_is_removed(profiles: Profiles) -> None:
    maintainer, reader = profiles.shared(MAINTAINER), profiles.shared()
    maintainer.goto("/dashboard/promotions")
    maintainer.get_by_role("button", name="New sponsor").click()
    dialog = maintainer.get_by_role("dialog", name="New sponsor")
    dialog.get_by_label("Name").fill("Anvil Works")
    dialog.get_by_label("Website").fill("http://anvil.example")
    dialog.get_by_label("Dollars a month").fill("a lot")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_label("Dollars a month")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Dollars a month").fill("9000")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_label("Website")).to_have_attribute("aria-invalid", "true")
    dialog.get_by_label("Website").fill("https://anvil.example")
    dialog.get_by_role("button", name="Save").click()
    row = maintainer.locator(".saved-row", has_text="Anvil Works")
    expect(row.get_by_text("$9,000")).to_be_visible()
    circle = "//*[contains(@class, 'sponsor-pack')]//a[contains(., 'Anvil Works')]/@href"
    responds(reader, "/", lambda page: page.xpath(circle) == ["https://anvil.example"])
    row.get_by_role("button", name="Change Anvil Works").click()
    maintainer.get_by_label("Dollars a month").fill("")
    maintainer.get_by_role("button", name="Save").click()
    expect(row.get_by_text("the smallest size")).to_be_visible()
    row.get_by_role("button", name="Remove Anvil Works").click()
    maintainer.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    responds(reader, "/", lambda page: not page.xpath(circle))


def responds(reader: Page, path: str, condition: Callable[[html.HtmlElement], bool]) -> None:
    """Wait until the HTML of a page meets a condition."""

    def changed() -> bool:
        response = reader.context.request.get(path)
        assert response.status == 200
        return condition(html.fromstring(response.text()))

    wait_until(reader, changed, f"{path} has changed")


def labels_of_promotions(page: html.HtmlElement) -> list[str]:
    return [promotion.get("aria-label", "") for promotion in page.xpath("//*[@data-slot]")]


def test_sign_in_has_no_accessibility_violations(profiles: Profiles) -> None:
    page = profiles.shared()
    for path in ("/login?error=code", "/login/code", "/login/confirm"):
        page.goto(path)
        assert violations(page) == [], path


@pytest.mark.parametrize("name", ["content", "searches", "links", "code", "statistics", "activity"])
def test_page_of_maintainers_has_no_accessibility_violations(profiles: Profiles, name: str) -> None:
    """Other tests check the pages that they open: bookmarks and notes, account, feedback, deliveries, promotions."""
    page = profiles.shared(MAINTAINER)
    page.goto(f"/dashboard/{name}")
    expect(page.get_by_text(MAINTAINER).first).to_be_visible()
    expect(page.get_by_text("Loading…")).to_have_count(0)
    assert violations(page) == []
