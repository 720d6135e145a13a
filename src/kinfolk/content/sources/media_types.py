"""Files of repositories that pages may show: pictures, films and sound."""

from __future__ import annotations

IMAGE_TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "svg": "image/svg+xml",
    "ico": "image/x-icon",
}
FILM_TYPES = {
    "flac": "audio/flac",
    "m4a": "audio/mp4",
    "mov": "video/quicktime",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "ogg": "audio/ogg",
    "ogv": "video/ogg",
    "vtt": "text/vtt",
    "wav": "audio/wav",
    "webm": "video/webm",
}
"""Types of films and sound, which players read in parts, and of their captions."""
_TYPES = IMAGE_TYPES | FILM_TYPES


def media_type(path: str) -> str | None:
    """The type by which a browser may show a file; None for all others, so that they never run on the site."""
    return _TYPES.get(path.rpartition(".")[2].lower())
