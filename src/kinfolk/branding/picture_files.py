"""Reads text files and SVG pictures of operators, which become part of the HTML of pages."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from kinfolk.config.site_folder import site_file
from kinfolk.runtime.errors import InvalidFile

_SVG = "{http://www.w3.org/2000/svg}svg"
_ACTIVE = re.compile(r"<(?:script|foreignObject|image|a)\b|\son\w+\s*=|href\s*=|@import|url\((?!#)", re.IGNORECASE)
"""Markup that could run code or fetch a resource."""
_ID = re.compile(r"""\sid=["']([^"']+)""")
# An id, `url(#id)`, a selector of a stylesheet, or the element whose event begins or ends an animation.
_REFERENCE = re.compile(r"""(?P<before>\sid=["']|url\(\#|(?<=[\s,}>])\#|(?:begin|end)=["'])(?P<name>[\w-]++)""")


def read_text(site: Path, file: str, largest: int, faults: list[InvalidFile]) -> str:
    """The text of a file, or an empty one after adding the errors to `faults`."""
    try:
        content = site_file(site, file).read_bytes()
        text = content.decode()
    except OSError as error:
        faults.append(InvalidFile(file, "", f"cannot be read: {error.strerror}"))
        return ""
    except UnicodeDecodeError as error:
        faults.append(InvalidFile(file, "", f"is not UTF-8 at byte {error.start}"))
        return ""
    if len(content) > largest:
        faults.append(InvalidFile(file, "", f"has {len(content)} bytes, and should have no more than {largest}"))
        return ""
    if not text.strip():
        faults.append(InvalidFile(file, "", "is empty"))
    return text


def read_picture(site: Path, file: str, largest: int, faults: list[InvalidFile]) -> str:
    """The text of an SVG that neither runs code nor loads anything, or an empty one."""
    text = read_text(site, file, largest, faults).strip()
    if not text:
        return ""
    try:
        root = ET.fromstring(text)  # noqa: S314 a file of the operator, of limited size
    except ET.ParseError as error:
        faults.append(InvalidFile(file, "", f"is not well-formed: {error}"))
        return ""
    found = len(faults)
    if root.tag != _SVG or "viewBox" not in root.attrib:
        faults.append(InvalidFile(file, "", "should be an <svg> with its xmlns and a viewBox"))
    if active := _ACTIVE.search(text):
        faults.append(InvalidFile(file, "", f"should be a picture only, without {active[0].strip()}"))
    return text if len(faults) == found else ""


def with_prefixed_ids(picture: str, prefix: str) -> str:
    """The picture with the prefix before its ids and what refers to them, so that no id of the page is equal."""
    ids = frozenset(_ID.findall(picture))

    def prefixed(found: re.Match[str]) -> str:
        return f"{found['before']}{prefix}{found['name']}" if found["name"] in ids else found[0]

    return _REFERENCE.sub(prefixed, picture) if ids else picture
