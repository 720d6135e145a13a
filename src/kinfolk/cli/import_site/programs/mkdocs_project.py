"""The configuration of MkDocs: `mkdocs.yml`. The site reads its `nav` itself."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from kinfolk.cli.import_site.facts.imported_site import NOTHING_LIKE_IT, ImportedSite, hue_of_color
from kinfolk.cli.import_site.old_addresses.host_redirects import add_redirects_of_hosts
from kinfolk.cli.import_site.posts.moved_markdown import TextMover
from kinfolk.cli.import_site.posts.post_import import FoundPost, PostFolder, import_posts, read_authors
from kinfolk.cli.import_site.posts.tag_import import TAGS, TagReader, material_path, without_page
from kinfolk.cli.import_site.project.git_facts import branch_of_edit_url, repo_of_url
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import ProjectImport, library_facts, plain_label
from kinfolk.cli.new.new_site import slug_of
from kinfolk.config.data_files import is_repo_path, is_url
from kinfolk.content.docs.menus.mkdocs_nav import read_nav
from kinfolk.content.markdown.literals.config_access import entry, items_of, table_of, text_of
from kinfolk.content.markdown.literals.config_values import (
    NO_TABLE,
    ConfigCode,
    ConfigTable,
    ConfigText,
    ConfigValue,
)
from kinfolk.content.markdown.literals.yaml_config import read_yaml_config

CONFIG_FILES = ("mkdocs.yml", "mkdocs.yaml")
TAKEN_KEYS = frozenset(
    (
        "site_name site_url site_description repo_url repo_name edit_uri docs_dir theme nav plugins extra"
        " markdown_extensions copyright"
    ).split()
)
NEEDLESS_KEYS = frozenset("site_dir strict use_directory_urls dev_addr watch validation site_author not_in_nav".split())
NEEDLESS_PLUGINS = frozenset(
    (
        "search material/search minify offline privacy optimize social git-revision-date-localized"
        " git-authors section-index awesome-pages exclude autorefs meta info"
    ).split()
)
EXTENSIONS = frozenset(
    (
        "abbr admonition attr_list def_list footnotes md_in_html toc tables fenced_code extra meta nl2br"
        " sane_lists smarty codehilite pymdownx.betterem pymdownx.caret pymdownx.details pymdownx.emoji"
        " pymdownx.highlight pymdownx.inlinehilite pymdownx.keys pymdownx.magiclink pymdownx.mark"
        " pymdownx.snippets pymdownx.superfences pymdownx.tabbed pymdownx.tasklist pymdownx.tilde"
        " pymdownx.critic pymdownx.blocks.admonition pymdownx.blocks.details pymdownx.blocks.tab"
        " pymdownx.extra markdown_include.include mdx_include"
    ).split()
)
"""Extensions whose syntax the dialect `mkdocs` has, or that only change how a page looks."""
MATERIAL_HUES: Mapping[str, str] = {
    "deep purple": "violet",
    "light blue": "sky",
    "light green": "lime",
    "deep orange": "orange",
    "brown": "amber",
    "grey": "gray",
    "blue grey": "gray",
} | {name: name for name in "red pink purple indigo blue cyan teal green lime yellow amber orange".split()}
"""Colors of Material, and the nearest hues."""
_REASONS = {
    "INHERIT": "the other file is not read",
    "hooks": "hooks are code",
    "extra_css": "styles of the old theme do not fit this one",
    "extra_javascript": "the site loads no scripts of others",
}


def read_mkdocs(files: ProjectFiles, file: str) -> ProjectImport:
    """What the configuration in a file has."""
    home = posixpath.dirname(file)
    text = files.text(file) or ""
    config = read_yaml_config(text)
    site = ImportedSite("MkDocs", file)
    if config is None:
        site.leave("configuration", "it is no YAML with keys, or too large", file=file)
        config = NO_TABLE
    git = files.git
    url = text_of(entry(config, "repo_url"))
    site.repo = git.repo or repo_of_url(url)
    site.branch = git.branch or branch_of_edit_url(posixpath.join(url, text_of(entry(config, "edit_uri"))))
    root = posixpath.normpath(posixpath.join(home, text_of(entry(config, "docs_dir")) or "docs"))
    if root.startswith("..") or not files.is_folder(root):
        site.leave("docs_dir", "it is no folder of the project", entry(config, "docs_dir"))
        root = posixpath.join(home, "docs")
    facts = library_facts(site, files, text_of(entry(config, "site_name")), "mkdocs", root)
    address = urlsplit(_url(entry(config, "site_url")))
    facts.base = f"/{address.path.strip('/')}".rstrip("/")
    site.description = facts.description = text_of(entry(config, "site_description"))
    plugins = list(_named(entry(config, "plugins")))
    blogs = [options for name, options, _ in plugins if name.rpartition("/")[2] == "blog"]
    folders = [text_of(entry(options, "blog_dir")) or "blog" for options in blogs]
    facts.excluded = [folder for folder in folders if is_repo_path(folder) and files.is_folder(f"{root}/{folder}")]
    project = ProjectImport(files, site)
    project.add_library(facts)
    origin = f"{address.scheme}://{address.netloc}" if address.netloc else ""
    for folder, options in zip(folders, blogs, strict=True):
        if folder in facts.excluded:
            _read_blog(project, folder, options, origin)
    _read_site(project, config)
    _read_plugins(project, plugins)
    add_redirects_of_hosts(project, ("", home, root))
    _list_others(site, config)
    if entry(config, "nav") is not None:
        if read_nav(text):
            site.taken.append("The menu is the `nav` of the project's file, which the site reads after each push.")
        else:
            site.leave("nav", "it has no entries that can be read; the menu shows the folders", entry(config, "nav"))
    return project


def _read_blog(project: ProjectImport, folder: str, options: ConfigTable, origin: str) -> None:
    """The posts of the plug-in `blog`. Its addresses have the day and the title, unless a format is set."""
    site, root = project.site, project.site.library.docs_root
    blog = f"{root}/{folder}"
    authors_file = text_of(entry(options, "authors_file")).replace("{blog}", folder) or f"{folder}/.authors.yml"
    authors = read_authors(project.files, f"{root}/{authors_file}")
    posts_folder = text_of(entry(options, "post_dir")).replace("{blog}", folder) or f"{folder}/posts"
    posts = f"{root}/{posts_folder}"
    if not project.files.is_folder(posts):
        site.leave("plug-in 'blog'", "it has no folder with posts", file=blog)
        return
    mover = TextMover(project, "mkdocs", root, static=(root,), origin=origin)
    tags = TagReader({"categories": material_path, TAGS: without_page})
    where = PostFolder(posts, f"{site.library.base}/{folder}".strip("/"), authors, tags=tags)
    import_posts(mover, where, [site.library.id], path_of=_post_path)
    for key, what in (("post_url_format", "posts"), ("categories_url_format", "categories")):
        if (value := entry(options, key)) is not None:
            site.leave(key, f"redirects of {what} are for the default", value)


def _post_path(post: FoundPost, title: str) -> str:
    """`2023/11/30/adding-a-badge`: the address below that of the blog."""
    slug = post.front.get("slug")
    name = slug if isinstance(slug, str) and slug else slug_of(title)
    return f"{post.published.replace('-', '/')}/{name}"


def _url(value: ConfigValue | None) -> str:
    text = text_of(value)
    return text if text.startswith(("https://", "http://")) and "[" not in text else ""


def _read_site(project: ProjectImport, config: ConfigTable) -> None:
    site = project.site
    theme = table_of(entry(config, "theme"))
    for palette in items_of(entry(theme, "palette")):
        name = text_of(entry(table_of(palette), "primary")).replace("-", " ").lower()
        site.color = site.color or MATERIAL_HUES.get(name, "") or hue_of_color(name)
    site.logo = _picture(project, text_of(entry(theme, "logo")))
    site.favicon = _picture(project, text_of(entry(theme, "favicon")))
    for link in items_of(entry(config, "extra", "social")):
        address = text_of(entry(table_of(link), "link"))
        icon = text_of(entry(table_of(link), "icon")).rpartition("/")[2].replace("x-twitter", "x")
        if not site.add_social(address, icon):
            site.leave(f"social link {address!r}", "the site has no icon for it", link)
    if text_of(entry(config, "extra", "version", "provider")) == "mike":
        reason = "its docs are built copies; a version is a branch of the repository"
        site.leave("versions of mike", reason, entry(config, "extra", "version"))
    for key in ("alternate", "analytics", "consent", "homepage", "annotate", "tags", "status"):
        if value := entry(config, "extra", key):
            site.leave(f"extra.{key}", NOTHING_LIKE_IT, value)
    if value := entry(theme, "custom_dir"):
        site.leave("theme.custom_dir", "templates are code", value)
        template = posixpath.normpath(posixpath.join(posixpath.dirname(site.config_file), text_of(value), "main.html"))
        if "block announce" in (project.files.text(template) or ""):
            site.leave("announcement", "it is a template; set [announcement] in kinfolk.toml", file=template)
    if (value := entry(theme, "language")) and text_of(value) != "en":
        site.leave("theme.language", "the words of the site are English", value)
    site.footer_note = plain_label(text_of(entry(config, "copyright")))


def _picture(project: ProjectImport, written: str) -> str:
    path = posixpath.normpath(posixpath.join(project.site.library.docs_root, written.lstrip("/")))
    return path if written.endswith((".svg", ".png")) and project.files.is_file(path) else ""


def _named(value: ConfigValue | None) -> Iterator[tuple[str, ConfigTable, ConfigValue]]:
    """Name and options of each plug-in or extension: a text, or a table of one key."""
    entries = value.entries.items() if isinstance(value, ConfigTable) else ()
    for name, options in entries:
        yield name, table_of(options), options
    for item in items_of(value) if not isinstance(value, ConfigTable) else ():
        if isinstance(item, ConfigText):
            yield item.text, NO_TABLE, item
        for name, options in table_of(item).entries.items():
            yield name, table_of(options), item


def _read_plugins(project: ProjectImport, plugins: list[tuple[str, ConfigTable, ConfigValue]]) -> None:
    for name, options, value in plugins:
        if name == "redirects":
            for old, new in table_of(entry(options, "redirect_maps")).entries.items():
                path = posixpath.join(project.site.library.base or "/", old.removesuffix(".md").removesuffix("index"))
                to = text_of(new)
                project.add_redirect(path, to if is_url(to) else f"/{to.lstrip('/')}", new)
        elif name not in NEEDLESS_PLUGINS and name.rpartition("/")[2] != "blog":
            project.site.leave(f"plug-in {name!r}", "plug-ins are code", value)


def _list_others(site: ImportedSite, config: ConfigTable) -> None:
    site.leave_others(config, TAKEN_KEYS | NEEDLESS_KEYS, _REASONS)
    for key, value in config.entries.items():
        if key in TAKEN_KEYS and isinstance(value, ConfigCode):
            site.leave(key, "it is computed", value)
    for name, _, value in _named(entry(config, "markdown_extensions")):
        if name not in EXTENSIONS:
            site.leave(f"extension {name!r}", "its syntax is shown as written", value)
