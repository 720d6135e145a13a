"""Posts of other programs -> files of `blog/`."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import unquote

import yaml

from kinfolk.cli.import_site.facts.imported_site import ImportedSite, short_label
from kinfolk.cli.import_site.old_addresses.address_patterns import read_old_address
from kinfolk.cli.import_site.posts.moved_markdown import TextMover
from kinfolk.cli.import_site.posts.tag_import import TAGS, OldTag, TagReader, names_of, tag_pages
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.new.new_site import slug_of
from kinfolk.config.data_files import is_line
from kinfolk.content.blog.post import is_author_name
from kinfolk.content.blog.post_tags import LONGEST_TAG, MOST_TAGS
from kinfolk.content.docs.file_layouts import page_facts
from kinfolk.content.docs.menus.folder_menu import title_of_name
from kinfolk.content.markdown.front_matter import UnsupportedYaml, YamlValue, parse_yaml_block, split_front_matter
from kinfolk.content.markdown.literals.config_access import entry, table_of, text_of
from kinfolk.content.markdown.literals.config_values import ConfigTable
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

MOST_POSTS = 2_000
LONGEST_DESCRIPTION = 300
LONGEST_SLUG = 100

_DATED = re.compile(r"(?:(?P<folder>.*)/)?(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})[-/](?P<name>.+)")
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_END_OF_EXCERPT = re.compile(
    r"^[ \t]*(?:<!--[ \t]*(?:truncate|more|excerpt|end)[ \t]*-->|\{/\*[ \t]*truncate[ \t]*\*/\})[ \t]*$", re.MULTILINE
)
_ENDINGS = (".md", ".mdx")
Front = Mapping[str, YamlValue]


@dataclass(frozen=True)
class FoundPost:
    """A post of the project. `path` is that of its address on the old site, below the path of its blog."""

    file: str
    path: str
    published: str
    front: Front
    text: str


PathOfPost = Callable[[FoundPost, str], str]
"""From a post and its title to its path below that of the blog."""


@dataclass
class PostFolder:
    """Where posts are. `name_dates` is whether the date in the name of a file is a part of the address."""

    folder: str
    base: str
    """Path of the blog on the old site, without slashes around it."""
    authors: Mapping[str, str] = field(default_factory=dict)
    has_dates: bool = True
    tags: TagReader = field(default_factory=TagReader)


def find_posts(files: ProjectFiles, where: PostFolder) -> tuple[list[FoundPost], list[tuple[str, str]]]:
    """The posts with dates, newest first, and the files that are none, each with the reason."""
    posts: list[FoundPost] = []
    others: list[tuple[str, str]] = []
    for file in sorted(files.files_below(where.folder, lambda name: name.startswith(("_", ".")))):
        inside = file.removeprefix(f"{where.folder}/")
        name = posixpath.basename(file)
        if not file.endswith(_ENDINGS) or name.startswith("_") or inside.lower() in ("index.md", "readme.md"):
            continue
        text = files.text(file)
        if text is None:
            others.append((file, "it is too large, or no UTF-8"))
            continue
        front = front_of(text)
        path = inside.rsplit(".", 1)[0].removesuffix("/index")
        found = _DATED.fullmatch(path)
        published = day_of(front.get("date")) or (_day(found["year"], found["month"], found["day"]) if found else "")
        if not published:
            others.append((file, "it has no date"))
        elif len(posts) < MOST_POSTS:
            posts.append(FoundPost(file, _old_path(front, path, found, where), published, front, text))
    return sorted(posts, key=lambda post: (post.published, post.file), reverse=True), others


def front_of(text: str) -> Front:
    try:
        keys = parse_yaml_block(split_front_matter(text)[0])
    except (yaml.YAMLError, UnsupportedYaml):
        return {}
    return keys if isinstance(keys, dict) else {}


def _old_path(front: Front, path: str, found: re.Match[str] | None, where: PostFolder) -> str:
    slug = front.get("slug")
    if isinstance(slug, str) and slug.strip("/"):
        return slug.strip("/")
    if found is None or not where.has_dates:
        return path
    parts = (
        found["folder"] or "",
        found["year"],
        f"{int(found['month']):02}",
        f"{int(found['day']):02}",
        found["name"],
    )
    return "/".join(part for part in parts if part)


def day_of(value: YamlValue | None) -> str:
    """`2024-10-23T16:00` -> `2024-10-23`; of a table, the date of its creation."""
    if isinstance(value, dict):
        value = value.get("created")
    found = _DAY.match(value.strip()) if isinstance(value, str) else None
    return _day(*found.groups()) if found else ""


def _day(year: str, month: str, day: str) -> str:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""


# Authors


def read_authors(files: ProjectFiles, path: str) -> Mapping[str, str]:
    """The names of the authors in a file by their keys, also of those below a key `authors`."""
    table = table_of(read_yaml_config(files.text(path) or ""))
    return names_of_authors(table_of(entry(table, "authors")) if "authors" in table.entries else table)


def names_of_authors(people: ConfigTable) -> Mapping[str, str]:
    return {key: name for key, value in people.entries.items() if (name := text_of(entry(table_of(value), "name")))}


def authors_of(front: Front, known: Mapping[str, str]) -> list[str]:
    """The names of the authors of a post, once each."""
    written = front.get("authors") or front.get("author") or []
    found: list[str] = []
    for one in written if isinstance(written, list) else [written]:
        key = one.get("key") or one.get("name") if isinstance(one, dict) else one
        name = known.get(key, key) if isinstance(key, str) else ""
        found += [" ".join(part.split()) for part in re.split(r",|&|\band\b", name)]
    return [name for name in dict.fromkeys(found) if is_author_name(name)]


# The posts of the new site


def import_posts(
    mover: TextMover, where: PostFolder, libraries: Iterable[str], *, path_of: PathOfPost | None = None
) -> int:
    """Add the posts of a folder to the site, with redirects of their old addresses. Returns their number.

    `path_of` makes the old path of a post, where its file does not say it.
    """
    project, site = mover.project, mover.project.site
    posts, others = find_posts(project.files, where)
    for file, reason in others:
        site.leave("post", reason, file=file)
    slugs: dict[str, FoundPost] = {}
    for post in posts:
        slug = _free_slug(post, slugs)
        slugs[slug] = post
        address = f"/blog/{slug}"
        mover.addresses[post.file] = address
        project.moved[f"{where.base}/{post.path}".strip("/")] = address
    if posts:
        project.moved.setdefault(where.base, "/blog")
    tags = {post.file: _tags_of(site, where, post) for post in posts}
    pages = {f"{where.base}/{path}".strip("/"): address for path, address in tag_pages(tags.values()).items()}
    project.moved.update({**pages, **project.moved})
    written = 0
    for slug, post in slugs.items():
        path = post.path
        if path_of is not None:
            path = path_of(post, page_facts(post.text).title or "")
            project.moved[f"{where.base}/{path}".strip("/")] = f"/blog/{slug}"
        people, topics = authors_of(post.front, where.authors), names_of(tags[post.file])
        lists = {"authors": people, "libraries": [*libraries], **({TAGS: topics} if topics else {})}
        text = _post_text(mover, post, slug, lists)
        if text is None:
            site.leave("post", "it has no text, or is too long", file=post.file)
            continue
        site.texts[f"blog/{slug}.md"] = text
        written += 1
        old = read_old_address(f"/{where.base}/{path}")
        if old is not None and "{" not in old.path and old.path != f"/blog/{slug}":
            site.add_redirect(old.path, f"/blog/{slug}")
        _redirect_within_docs(mover, post.file, f"/blog/{slug}")
    if posts:
        _redirect_lists(mover, where, pages)
    return written


def _redirect_lists(mover: TextMover, where: PostFolder, pages: Mapping[str, str]) -> None:
    """Redirect the list of posts and the pages of tags, which are given with their addresses on the new site."""
    _redirect_within_docs(mover, f"{posixpath.dirname(where.folder)}/index.md", "/blog")
    _redirect_within_docs(mover, f"{where.folder}/index.md", "/blog")
    if where.base != "blog" and (old := read_old_address(f"/{where.base}")) is not None:
        mover.project.site.add_redirect(old.path, "/blog")
    for path, address in pages.items():
        old = read_old_address(f"/{path}")
        if old is not None and "{" not in old.path:
            # Parameters of redirects are printable, as joiners of Persian words are not.
            mover.project.site.add_redirect(old.path, address if is_line(unquote(address)) else "/blog")


def _tags_of(site: ImportedSite, where: PostFolder, post: FoundPost) -> list[OldTag]:
    found, others = where.tags.read(post.front)
    if others:
        more = f", and {len(others) - 1} more" if len(others) > 1 else ""
        reason = f"a post has at most {MOST_TAGS} tags of {LONGEST_TAG} characters"
        site.leave(f"tag {others[0][:60]!r}{more}", reason, file=post.file)
    return found


def _redirect_within_docs(mover: TextMover, file: str, address: str) -> None:
    """Redirect the address that a file would have among the docs, so that relative links of the docs lead on."""
    for library in mover.project.libraries:
        root, base = library.facts.docs_root, f"/{library.facts.id}/latest/docs"
        inside = file.removeprefix(f"{root}/").rsplit(".", 1)[0]
        if not file.startswith(f"{root}/") or not any(inside.startswith(f"{one}/") for one in library.facts.excluded):
            continue
        for path in dict.fromkeys((inside, inside.removesuffix("/index"))):
            old = read_old_address(f"{base}/{path}")
            if old is not None and "{" not in old.path:
                mover.project.site.add_redirect(old.path, address)


def _free_slug(post: FoundPost, taken: Mapping[str, FoundPost]) -> str:
    slug = slug_of(post.path.rpartition("/")[2])[:LONGEST_SLUG].strip("-") or f"post-{post.published}"
    if slug in taken:
        slug = f"{slug}-{post.published}"
    return slug if slug not in taken else f"{slug}-{len(taken)}"


def _post_text(mover: TextMover, post: FoundPost, slug: str, lists: Mapping[str, list[str]]) -> str | None:
    """The file of the post. `lists` are the keys of its front matter with several values."""
    cut = _END_OF_EXCERPT.search(post.text)
    whole = _END_OF_EXCERPT.sub("", post.text, count=1) if cut else post.text
    moved = mover.move(post.file, whole, address=f"/blog/{slug}")
    if moved is None or not moved.text:
        return None
    title = short_label(_text(post.front.get("title")) or moved.title or title_of_name(slug))
    # Keys of front matter that this site does not have are no loss of text.
    faults = [one for one in moved.faults if "front matter" not in one[1]]
    for line, message in faults[:1]:
        more = f", and {len(faults) - 1} more" if len(faults) > 1 else ""
        mover.project.site.leave("syntax of a post", f"line {line}: {message}{more}", file=post.file)
    summary = _text(post.front.get("description")) or _text(post.front.get("excerpt"))
    description = summary or _excerpt(mover, post, cut) or moved.description or title
    facts: dict[str, object] = {
        "title": title,
        "description": shortened(description),
        "published": post.published,
        **lists,
    }
    image = _text(post.front.get("image"))
    if image and (address := _image(mover, post, image)):
        facts["image"] = address
    if _text(post.front.get("draft")) == "true" or _text(post.front.get("unlisted")) == "true":
        facts["draft"] = True
    return with_front_matter(facts, moved.text)


def _excerpt(mover: TextMover, post: FoundPost, cut: re.Match[str] | None) -> str:
    """The description of the part before the mark that ends it."""
    moved = mover.move(post.file, post.text[: cut.start()], address="/blog") if cut else None
    return moved.description if moved else ""


def _image(mover: TextMover, post: FoundPost, image: str) -> str | None:
    if image.startswith("https://") and " " not in image:
        return image
    here = posixpath.dirname(post.file)
    folders = (*mover.static, mover.root) if image.startswith("/") else (here, *mover.static)
    paths = (posixpath.normpath(posixpath.join(folder, image.lstrip("/"))) for folder in folders)
    return next((address for path in paths if (address := mover.picture(path))), None)


def with_front_matter(facts: Mapping[str, object], text: str) -> str:
    """A Markdown file. Values are written as JSON, which is YAML."""
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items()]
    return "\n".join(("---", *lines, "---", "", text, ""))


def shortened(text: str) -> str:
    """A description of at most `LONGEST_DESCRIPTION` characters, cut between words."""
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    return text[:LONGEST_DESCRIPTION].rpartition(" ")[0].rstrip(" ,;:") + "…"


def _text(value: YamlValue | None) -> str:
    if not isinstance(value, str):
        return ""
    return " ".join("".join(c if c.isprintable() else " " for c in value).split())
