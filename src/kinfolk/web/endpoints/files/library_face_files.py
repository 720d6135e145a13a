"""`/_icons/` and `/_patterns/`: icons and patterns of libraries, and patterns of posts. Addresses carry the version."""

from __future__ import annotations

from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kinfolk.content.blog.cover import cover_patterns
from kinfolk.content.landing.library_face import LibraryFace, SvgFile, pattern_file
from kinfolk.rendering.content_security_policy import picture_policy
from kinfolk.runtime.cache import DOCS, FOREVER
from kinfolk.runtime.errors import NotFound
from kinfolk.site.site import Site
from kinfolk.web.compression import GzippedText, compress
from kinfolk.web.responses import NO_STORE, cache_headers, gzip_response, text_error


def library_face_routes() -> list[Route]:
    """Routes for an application whose `state.site` is the Site."""
    return [
        Route("/_icons/{library}.svg", library_icon),
        Route("/_patterns/{library}.svg", library_pattern),
        Route("/_patterns/posts/{slug}/{name}.svg", post_pattern),
    ]


async def library_icon(request: Request) -> Response:
    face = _face(request)
    return _svg_response(request, face.icon) if face else _missing()


async def library_pattern(request: Request) -> Response:
    face = _face(request)
    return _svg_response(request, face.pattern) if face else _missing()


async def post_pattern(request: Request) -> Response:
    site: Site = request.app.state.site
    try:
        post = site.content.blog.post(str(request.path_params["slug"]))
    except NotFound as missing:
        return text_error(missing, NO_STORE)
    pattern = cover_patterns(post, site.content.blog.posts, site.catalog).get(str(request.path_params["name"]))
    return _svg_response(request, pattern_file(pattern)) if pattern else _missing()


def _face(request: Request) -> LibraryFace | None:
    site: Site = request.app.state.site
    return site.content.faces.libraries.get(str(request.path_params["library"]))


def _missing() -> Response:
    return text_error(NotFound("There is no such library"), NO_STORE)


def _svg_response(request: Request, file: SvgFile) -> Response:
    lifetime = FOREVER if request.query_params.get("v") == file.version else DOCS
    text, policy = _compressed(file.svg)
    picture = {"content-type": "image/svg+xml", "content-security-policy": policy}
    return gzip_response(request, text, {**cache_headers(lifetime), **picture})


@lru_cache(maxsize=64)
def _compressed(svg: str) -> tuple[GzippedText, str]:
    """The picture, and its policy."""
    return compress([svg.encode()]), picture_policy(svg)
