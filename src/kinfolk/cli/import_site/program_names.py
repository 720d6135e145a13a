"""The names of the programs, for the options of the command: it starts without the modules that read them."""

PROGRAM_NAMES = (
    "vitepress",
    "docusaurus",
    "mkdocs",
    "starlight",
    "undocs",
    "docus",
    "fumadocs",
    "nextra",
    "mintlify",
    "mdbook",
    "sphinx",
    "markdown",
)
