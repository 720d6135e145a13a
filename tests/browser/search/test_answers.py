"""The answer of the first result, and the panel in which a chat service answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import OpenPage, overflowing_widths
from tests.inputs.search_index import wait_for_search_index
from tests.servers.chat_server import ChatServer, answer_reply, serve_chat
from tests.servers.serving import PLAIN, Server, serving
from tests.sites.sample_var import SAMPLE_VAR

PAGE = "/blog"
WIDTHS = (320, 390, 1280)
BUNDLE = "/assets/answersBundle"
PHONE = {"width": 390, "height": 800}


@pytest.fixture(scope="module")
def chat() -> Iterator[ChatServer]:
    with serve_chat() as chat:
        yield chat


@pytest.fixture(scope="module")
def answering_server(built: object, chat: ChatServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that answers questions with the stand-in."""
    environment = PLAIN | {"KINFOLK_ASK_URL": chat.url, "KINFOLK_ASK_RATE": "0"}
    with serving(tmp_path_factory.mktemp("answers"), environment=environment, var=SAMPLE_VAR.folder()) as server:
        wait_for_search_index(server)
        yield server


@pytest.fixture
def answering_page(browser: Browser, answering_server: Server) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page.goto(answering_server.url + PAGE)
    yield page
    page.close()


def search(page: Page, text: str) -> None:
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Search")
    expect(box).to_be_focused()
    box.fill(text)
    expect(page.locator("dialog output")).to_have_text(re.compile(r"^\d+ results?$"))


def test_first_result_shows_the_answer_of_its_section(server: Server, shared_tab: OpenPage) -> None:
    wait_for_search_index(server)
    reader = shared_tab(PAGE)
    reader.interact()
    page = reader.page
    search(page, "the query keys")
    first, second = (page.get_by_role("listbox", name="Results").get_by_role("option").nth(at) for at in (0, 1))
    sentences = first.locator(".search-result-answer")
    expect(sentences).to_be_visible()
    marked = [text.lower() for text in sentences.locator("mark").all_text_contents()]
    assert marked
    assert not {"the", "a", "is"} & set(marked)
    assert (sentences.text_content() or "").endswith((".", ":", "!", "?", "…"))
    expect(second.locator(".search-result-answer")).to_have_count(0)
    expect(second.locator(".search-result-snippet")).to_be_visible()
    # Without the setting nothing offers to answer a question, and nothing of it is loaded.
    expect(page.get_by_role("option", name=re.compile("^Ask:"))).to_have_count(0)
    assert not any(BUNDLE in url for url in reader.loaded_urls)


def test_first_result_of_the_search_page_shows_the_answer_without_javascript(
    server: Server, shared_tab: OpenPage
) -> None:
    wait_for_search_index(server)
    page = shared_tab("/search?q=query+keys", javascript=False).page
    results = page.locator(".search-page ol a")
    expect(results.nth(0).locator(".search-result-answer, .search-result-code").first).to_be_visible()
    expect(results.nth(1).locator(".search-result-answer, .search-result-code")).to_have_count(0)


def test_question_is_answered_in_the_dialog_with_links_to_its_sections(answering_page: Page, chat: ChatServer) -> None:
    page = answering_page
    loaded: list[str] = []
    page.on("requestfinished", lambda request: loaded.append(request.url))
    chat.reply = chat.stalling("Query keys have to be an array <b>here</b>. [1] Nothing names this sentence. Query")
    search(page, "query keys")
    page.keyboard.press("ArrowUp")
    row = page.get_by_role("option", name="Ask: query keys", selected=True)
    expect(row).to_be_visible()
    assert any(BUNDLE in url for url in loaded)
    page.keyboard.press("Enter")
    panel = page.get_by_role("region", name="query keys")
    answer = panel.get_by_role("log", name="Answer")
    # The sentence is shown while the service still writes.
    expect(answer).to_contain_text("Query keys have to be an array <b>here</b>.")
    expect(answer).not_to_contain_text("Nothing names this sentence")
    assert violations(page, changed="dialog") == []
    panel.get_by_role("button", name="Stop").click()
    expect(answer).to_contain_text("Stopped.")
    assert chat.left.wait(10)
    chat.reply = answer_reply("Query keys have to be an array. [1]")
    panel.get_by_role("button", name="Try again").click()
    sources = panel.get_by_role("list", name="Sources").get_by_role("link")
    expect(sources).to_have_count(1)
    assert overflowing_widths(page, WIDTHS) == []
    source = panel.get_by_role("link", name=re.compile("^Source 1: "))
    address = source.get_attribute("href") or ""
    source.click()
    expect(page).to_have_url(re.compile(re.escape(address)))
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_question_without_results_can_be_asked_and_the_docs_do_not_say(answering_page: Page, chat: ChatServer) -> None:
    page = answering_page
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    search(page, "zzzzqqqq")
    page.get_by_role("option", name="Ask: zzzzqqqq", selected=True).click()
    panel = page.get_by_role("region", name="zzzzqqqq")
    expect(panel.get_by_role("log")).to_have_text("The docs do not say. Try other words in the search.")
    panel.get_by_role("button", name="Back to results").click()
    expect(page.get_by_role("combobox", name="Search")).to_be_focused()
    expect(page.get_by_role("heading", name="No results found")).to_be_visible()
