"""The configuration of Starlight: `astro.config.*`, of which only literals are read. The site reads the menu."""

from __future__ import annotations

import posixpath
import re

from kinfolk.cli.import_site.facts.imported_site import ImportedSite
from kinfolk.cli.import_site.posts.moved_markdown import TextMover
from kinfolk.cli.import_site.posts.post_import import PostFolder, import_posts, names_of_authors
from kinfolk.cli.import_site.posts.tag_import import TAGS, TagReader, starlight_path
from kinfolk.cli.import_site.project.git_facts import branch_of_edit_url, repo_of_url
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import ProjectImport, library_facts
from kinfolk.cli.import_site.project.project_modules import module_reader
from kinfolk.config.data_files import is_repo_path
from kinfolk.content.docs.menus.starlight_sidebar import sidebar_entries
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import NO_TABLE, ConfigCode, ConfigTable, ConfigText
from kinfolk.content.markdown.literals.javascript_config import read_javascript_call, read_javascript_config

CONFIG_FILES = tuple(f"astro.config.{ending}" for ending in ("mjs", "ts", "mts", "js", "cjs"))
TAKEN_KEYS = frozenset("title description logo favicon social editLink locales defaultLocale sidebar".split())
NEEDLESS_KEYS = frozenset(
    (
        "lastUpdated pagefind pagination tableOfContents titleDelimiter credits expressiveCode disable404Route"
        " prerender markdown routeMiddleware"
    ).split()
)
_REASONS = {
    "components": "components are code",
    "customCss": "styles of the old theme do not fit this one",
    "head": "the site writes the head of each page, and loads no scripts of others",
    "plugins": "plug-ins are code",
}
MARKDOC = ".mdoc"
_BLOG_IMPORT = re.compile(r"""^import[ ]++(\w++)[ ]++from[ ]++["']starlight-blog["']""", re.MULTILINE)


def read_starlight(files: ProjectFiles, file: str) -> ProjectImport:
    """What the configuration in a file has."""
    home = posixpath.dirname(file)
    text = files.text(file) or ""
    options = read_javascript_call(text, module_reader(files, file), "starlight")
    config = read_javascript_config(text, module_reader(files, file)) or NO_TABLE
    site = ImportedSite("Starlight", file)
    if options is None:
        site.leave("configuration", "it has no call of starlight() that can be read without running it", file=file)
        options = NO_TABLE
    root = posixpath.join(home, text_of(entry(config, "srcDir")).strip("./") or "src", "content/docs")
    edit = text_of(entry(options, "editLink", "baseUrl"))
    git = files.git
    site.repo, site.branch = git.repo or repo_of_url(edit), git.branch or branch_of_edit_url(edit)
    title = entry(options, "title")
    names = table_of(title).entries
    name = text_of(title) or text_of(names.get("en") or next(iter(names.values()), None))
    facts = library_facts(site, files, name, "starlight", _main_language(files, options, root))
    facts.base = f"/{text_of(entry(config, 'base')).strip('/')}".rstrip("/")
    site.description = facts.description = text_of(entry(options, "description"))
    blog = _blog_options(text, files, file)
    folder = text_of(entry(blog or NO_TABLE, "prefix")).strip("/") or "blog"
    has_posts = blog is not None and is_repo_path(folder) and files.is_folder(f"{facts.docs_root}/{folder}")
    facts.excluded = [folder] if has_posts else []
    project = ProjectImport(files, site)
    project.add_library(facts)
    if blog is not None and has_posts:
        _read_blog(project, blog, folder, static=posixpath.join(home, "public"))
    _read_options(project, options, home)
    main = facts.docs_root.removeprefix(f"{root}/") if facts.docs_root != root else "root"
    others = tuple(name for name in table_of(entry(options, "locales")).entries if name != main)
    _read_redirects(project, config, others)
    _list_left(project, options, root, others, has_posts=has_posts)
    return project


def _blog_options(text: str, files: ProjectFiles, file: str) -> ConfigTable | None:
    """What the plug-in `starlight-blog` receives; None without it."""
    found = _BLOG_IMPORT.search(text)
    return None if found is None else read_javascript_call(text, module_reader(files, file), found[1]) or NO_TABLE


def _read_blog(project: ProjectImport, options: ConfigTable, folder: str, *, static: str) -> None:
    facts = project.site.library
    mover = TextMover(project, "starlight", facts.docs_root, static=(static,))
    where = PostFolder(
        posixpath.join(facts.docs_root, folder),
        f"{facts.base}/{folder}".strip("/"),
        names_of_authors(table_of(entry(options, "authors"))),
        has_dates=False,
        tags=TagReader({TAGS: starlight_path}),
    )
    import_posts(mover, where, [facts.id])


def _main_language(files: ProjectFiles, options: ConfigTable, root: str) -> str:
    """The docs root; for sites whose main language has a folder, that folder."""
    locales = table_of(entry(options, "locales")).entries
    main = text_of(entry(options, "defaultLocale")) or next(iter(locales), "")
    folder = posixpath.join(root, main)
    return folder if "root" not in locales and main not in ("", "root") and files.is_folder(folder) else root


def _read_options(project: ProjectImport, options: ConfigTable, home: str) -> None:
    site = project.site
    logo = entry(options, "logo")
    site.logo = _picture(
        project, home, text_of(entry(table_of(logo), "src")) or text_of(entry(table_of(logo), "light"))
    )
    site.favicon = _picture(project, home, text_of(entry(options, "favicon")))
    social = entry(options, "social")
    links = (
        [(icon, text_of(value), value) for icon, value in social.entries.items()]
        if isinstance(social, ConfigTable)  # the form of Starlight before 0.33
        else [
            (text_of(entry(table_of(one), "icon")), text_of(entry(table_of(one), "href")), one)
            for one in items_of(social)
        ]
    )
    for icon, address, value in links:
        if not site.add_social(address, icon.removesuffix(".com")):
            site.leave(
                f"social link {icon or address!r}", "the site has no icon for it, or its address is computed", value
            )
    if sidebar_entries(options):
        site.taken.append("The menu is the `sidebar` of the project's file, which the site reads after each push.")
    elif (sidebar := entry(options, "sidebar")) is not None:
        site.leave("sidebar", "a part of it is computed; the menu shows the folders", sidebar)


def _picture(project: ProjectImport, home: str, written: str) -> str:
    paths = (posixpath.normpath(posixpath.join(home, folder, written.lstrip("/"))) for folder in ("", "public"))
    found = (path for path in paths if written.endswith((".svg", ".png")) and project.files.is_file(path))
    return next(found, "")


def _read_redirects(project: ProjectImport, config: ConfigTable, others: tuple[str, ...]) -> None:
    redirects = entry(config, "redirects")
    if isinstance(redirects, ConfigCode):
        project.site.leave("redirects", "they are computed", redirects)
    for old, value in table_of(redirects).entries.items():
        new = text_of(value) if isinstance(value, ConfigText) else text_of(entry(table_of(value), "destination"))
        if old.strip("/").partition("/")[0] not in others:  # whose pages are left out, which the report says once
            project.add_redirect(old, new, value)


def _list_left(
    project: ProjectImport, options: ConfigTable, root: str, others: tuple[str, ...], *, has_posts: bool
) -> None:
    site = project.site
    is_blog_only = has_posts and len(items_of(entry(options, "plugins"))) == 1
    taken = TAKEN_KEYS | {"plugins"} if is_blog_only else TAKEN_KEYS
    site.leave_others(options, taken | NEEDLESS_KEYS, _REASONS)
    locales = entry(options, "locales")
    if others:
        reason = "a translation is a library with a docs root of its own; its pages are left out"
        site.leave(f"languages {', '.join(others)}"[:200], reason, locales)
    markdoc = [path for path in project.files.files_below(root) if path.endswith(MARKDOC)]
    if markdoc:
        site.leave(
            f"{len(markdoc)} pages in Markdoc", "Markdoc is not supported; write them as .md or .mdx", file=markdoc[0]
        )
