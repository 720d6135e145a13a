"""An ad server on the loopback interface that sends a working script, or fails in a chosen way."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The part of the Google Publisher Tag that the site uses. Commands are queued in `googletag.cmd` until it loads.
# EMPTY is declared by AdServer.response.
TAG = """
(function () {
  var queue = googletag.cmd, listeners = [], slots = []
  window.drawnSlots = []
  function draw(slot) {
    var element = document.getElementById(slot.id)
    if (!EMPTY) {
      element.innerHTML = '<p>Ad ' + slot.path + ' ' + slot.size + '</p>'
      if (element.parentElement) element.parentElement.append(element.cloneNode(true))
    }
    window.drawnSlots.push(slot.id)
    listeners.forEach(function (callback) { callback({ slot: slot, isEmpty: EMPTY }) })
  }
  var service = {
    disableInitialLoad: function () {},
    addEventListener: function (name, callback) { listeners.push(callback) },
    refresh: function (requested) { requested.forEach(draw) },
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
  googletag.cmd = { push: function (callback) { callback() } }
  queue.forEach(function (callback) { callback() })
})()
"""

# Carbon appends its ad to the parent of its script element. Each refresh appends another one.
CARBON = """
window._carbonads = {
  refresh: function () {
    var ad = document.createElement('div')
    ad.id = 'carbonads_' + Math.random()
    ad.textContent = 'Ad by Carbon'
    document.getElementById('_carbonads_js').parentElement.append(ad)
    window.refreshCount = (window.refreshCount || 0) + 1
  },
}
window._carbonads.refresh()
"""


@dataclass
class AdServer:
    """`mode` selects the response to requests for the script. `request_count` counts these requests."""

    url: str
    mode: str = "valid"
    request_count: int = 0
    stopped: threading.Event = field(default_factory=threading.Event)

    @property
    def script_url(self) -> str:
        return f"{self.url}/tag.js"

    @property
    def tag_manager_url(self) -> str:
        """The script of a tag manager. Requests for it are not counted."""
        return f"{self.url}/tags.js"

    def response(self) -> tuple[int, str]:
        """Status and body for the current mode."""
        match self.mode:
            case "valid":
                return 200, f"var EMPTY = false;{TAG}"
            case "Carbon":
                return 200, CARBON
            case "empty":
                return 200, f"var EMPTY = true;{TAG}"
            case "throws":
                return 200, "throw new Error('an error of the ad server')"
            case "throws later":
                return 200, "googletag = { get cmd() { throw new Error('an error of the ad server') } }"
            case "not JavaScript":
                return 200, "this is not JavaScript"
            case "no response":
                self.stopped.wait(30)
        return 404, ""


@contextlib.contextmanager
def run_ad_server() -> Iterator[AdServer]:
    """Run an ad server until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/tag.js"):
                ad_server.request_count += 1
                status, body = ad_server.response()
            else:
                status, body = 200, f"window.tagManagerPath = {self.path!r}"
            with contextlib.suppress(OSError):  # the browser may have closed the connection
                self.send_response(status)
                self.send_header("content-type", "text/javascript")
                self.send_header("content-length", str(len(body)))
                self.send_header("cache-control", "no-store")
                self.end_headers()
                self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Write no access log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    ad_server = AdServer(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield ad_server
    finally:
        ad_server.stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()
