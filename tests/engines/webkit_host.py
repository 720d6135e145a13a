"""A window with WebKitGTK for WebKitWebDriver, in the place of its MiniBrowser. Debian's Python and PyGObject run it.

MiniBrowser cannot be narrower than 447 pixels, and browses privately under automation, where WebKit writes no messages
of the console. This window has any size, and writes to standard output: messages of the console as WebKit does, and as
JSON failed requests and downloads.
"""

import json
import sys
import tempfile
from typing import Any

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402 - after the choice of their versions


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="kinfolk-webkit-", ignore_cleanup_errors=True) as folder:
        Gtk.init(sys.argv)
        desktop = Gtk.Settings.get_default()
        # `prefers-reduced-motion: reduce`.
        desktop.set_property("gtk-enable-animations", False)
        # Letters have the widths that their font gives them.
        desktop.set_property("gtk-xft-hinting", 0)
        desktop.set_property("gtk-xft-hintstyle", "hintnone")
        data = WebKit2.WebsiteDataManager(base_data_directory=folder, base_cache_directory=folder)
        context = WebKit2.WebContext(website_data_manager=data)
        context.set_automation_allowed(True)
        context.connect("automation-started", start)
        context.connect("download-started", download)
        Gtk.main()


def start(context: Any, session: Any) -> None:
    application = WebKit2.ApplicationInfo()
    application.set_name("kinfolk")
    session.set_application_info(application)
    session.connect("create-web-view", lambda _session: create_view(context))


def create_view(context: Any) -> Any:
    settings = WebKit2.Settings()
    settings.set_enable_write_console_messages_to_stdout(True)
    settings.set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.NEVER)
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True, settings=settings)
    view.connect("resource-load-started", watch)
    window = Gtk.Window(decorated=False)
    window.set_default_size(1280, 800)
    window.add(view)
    window.show_all()
    # Without a window manager, the window below the pointer has the focus: in the corner, it is this one at all sizes.
    pointer = window.get_display().get_default_seat().get_pointer()
    pointer.warp(window.get_screen(), 1, 1)
    return view


def watch(_view: Any, resource: Any, _request: Any) -> None:
    def check_status(resource: Any) -> None:
        response = resource.get_response()
        if response is not None and response.get_status_code() >= 400:
            report(fault=f"{response.get_status_code()} {resource.get_uri()}")

    def check_failure(resource: Any, error: Any) -> None:
        if not error.matches(WebKit2.network_error_quark(), WebKit2.NetworkError.CANCELLED):
            report(fault=f"{error.message} {resource.get_uri()}")

    resource.connect("finished", check_status)
    resource.connect("failed", check_failure)


def download(_context: Any, started: Any) -> None:
    def decide(download: Any, name: str) -> bool:
        report(download=name)
        download.cancel()
        return True

    started.connect("decide-destination", decide)


def report(**what: str) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
