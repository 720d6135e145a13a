"""The language of a file by its name, as the highlighter names it."""

from __future__ import annotations

PLAIN = "text"

LANGUAGES_BY_NAME = {
    "dockerfile": "docker",
    ".babelrc": "json",
    ".eslintrc": "json",
    ".prettierrc": "json",
    ".swcrc": "json",
    ".oxlintrc.json": "jsonc",
    "_redirects": PLAIN,
}
"""The languages of files whose extension does not determine it."""
LANGUAGES_BY_EXTENSION = {
    "cjs": "js",
    "cts": "ts",
    "json5": "jsonc",
    "mjs": "js",
    "mts": "ts",
    "svg": "xml",
    "tsrx": "tsx",
    "webmanifest": "json",
    "yml": "yaml",
}
LANGUAGES = frozenset(
    "astro bash css gjs gql graphql gts hbs htm html js json jsonc jsx marko md mdx prisma py scss sh sql svelte toml "
    "ts tsx vue xml yaml".split()
)
"""The highlighter's names of languages, most of which are also file extensions."""


def language_of(path: str, framework: str) -> str:
    name = path.rpartition("/")[2].lower()
    if name in LANGUAGES_BY_NAME:
        return LANGUAGES_BY_NAME[name]
    if name == ".env" or name.startswith(".env."):
        return "dotenv"
    if name.startswith("tsconfig") and name.endswith(".json"):
        return "jsonc"
    extension = name.rpartition(".")[2] if "." in name else ""
    # Angular extends HTML in templates, and its components may contain templates.
    if framework == "angular" and path.startswith("src/app/") and extension in ("html", "ts"):
        return f"angular-{extension}"
    language = LANGUAGES_BY_EXTENSION.get(extension, extension)
    return language if language in LANGUAGES else PLAIN
