"""Somebody who fills ad slots, on the loopback: well behaved, or in one of many ways not."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The part of the publisher's tag that a site uses: commands are queued until the script is there.
TAG = """
(function () {
  var waiting = googletag.cmd, listeners = [], slots = []
  window.shown = []
  function draw(slot) {
    var element = document.getElementById(slot.id)
    if (!EMPTY) {
      element.innerHTML = '<p>Ad ' + slot.path + ' ' + slot.size + '</p>'
      if (element.parentElement) element.parentElement.append(element.cloneNode(true))
    }
    window.shown.push(slot.id)
    listeners.forEach(function (act) { act({ slot: slot, isEmpty: EMPTY }) })
  }
  var service = {
    disableInitialLoad: function () {},
    addEventListener: function (name, act) { listeners.push(act) },
    refresh: function (wanted) { wanted.forEach(draw) },
  }
  googletag.pubads = function () { return service }
  googletag.enableServices = googletag.display = function () {}
  googletag.destroySlots = function () { return true }
  googletag.defineSlot = function (path, size, id) {
    var slot = { path: path, size: size.join('x'), id: id }
    slot.addService = slot.setTargeting = function () { return slot }
    slot.getSlotElementId = function () { return id }
    slots.push(slot)
    return slot
  }
  googletag.cmd = { push: function (act) { act() } }
  waiting.forEach(function (act) { act() })
})()
"""

# Carbon puts its ad beside its script, and with every refresh another one.
CARBON = """
window._carbonads = {
  refresh: function () {
    var ad = document.createElement('div')
    ad.id = 'carbonads_' + Math.random()
    ad.textContent = 'Ad by Carbon'
    document.getElementById('_carbonads_js').parentElement.append(ad)
    window.refreshed = (window.refreshed || 0) + 1
  },
}
window._carbonads.refresh()
"""


@dataclass
class Advertiser:
    """`manner` is how the next request for the script is answered; `asked` counts them."""

    url: str
    manner: str = "well"
    asked: int = 0
    patience: threading.Event = field(default_factory=threading.Event)

    @property
    def script(self) -> str:
        return f"{self.url}/tag.js"

    @property
    def tags(self) -> str:
        """The script of a tag manager: it does nothing that is counted."""
        return f"{self.url}/tags.js"

    def answer(self) -> tuple[int, str]:
        match self.manner:
            case "well":
                return 200, f"var EMPTY = false;{TAG}"
            case "as Carbon":
                return 200, CARBON
            case "with nothing":
                return 200, f"var EMPTY = true;{TAG}"
            case "throwing":
                return 200, "throw new Error('an error of theirs')"
            case "throwing later":
                return 200, "googletag = { get cmd() { throw new Error('an error of theirs') } }"
            case "with words":
                return 200, "this is no script"
            case "never":
                self.patience.wait(30)
        return 404, ""


@contextlib.contextmanager
def advertising() -> Iterator[Advertiser]:
    """An advertiser until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/tag.js"):
                advertiser.asked += 1
                status, body = advertiser.answer()
            else:
                status, body = 200, f"window.tagged = {self.path!r}"
            with contextlib.suppress(OSError):  # the browser has gone meanwhile
                self.send_response(status)
                self.send_header("content-type", "text/javascript")
                self.send_header("content-length", str(len(body)))
                self.send_header("cache-control", "no-store")
                self.end_headers()
                self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    advertiser = Advertiser(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield advertiser
    finally:
        advertiser.patience.set()
        server.shutdown()
        server.server_close()
        thread.join()
