"""What language a file is written in, by its name: the word that the highlighter knows it by."""

from __future__ import annotations

PLAIN = "text"

NAMED = {
    "dockerfile": "docker",
    ".babelrc": "json",
    ".eslintrc": "json",
    ".prettierrc": "json",
    ".swcrc": "json",
    ".oxlintrc.json": "jsonc",
    "_redirects": PLAIN,
}
"""Files whose name says more than its ending."""
WRITTEN_IN = {
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
ENDINGS = frozenset(
    "astro bash css gjs gql graphql gts hbs htm html js json jsonc jsx marko md mdx prisma py scss sh sql svelte toml "
    "ts tsx vue xml yaml".split()
)
"""Endings that are words of the highlighter themselves."""


def language_of(path: str, framework: str) -> str:
    name = path.rpartition("/")[2].lower()
    if name in NAMED:
        return NAMED[name]
    if name == ".env" or name.startswith(".env."):
        return "dotenv"
    if name.startswith("tsconfig") and name.endswith(".json"):
        return "jsonc"
    ending = name.rpartition(".")[2] if "." in name else ""
    # A template of Angular is HTML with more in it, and a component may hold one.
    if framework == "angular" and path.startswith("src/app/") and ending in ("html", "ts"):
        return f"angular-{ending}"
    written_in = WRITTEN_IN.get(ending, ending)
    return written_in if written_in in ENDINGS else PLAIN
