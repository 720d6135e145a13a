"""`kinfolk review`: what changes in the docs between two commits."""

from __future__ import annotations

from pathlib import Path

import click

from kinfolk.config.settings import process_settings


@click.command()
@click.argument("base")
@click.argument("head", default="HEAD")
@click.option("--library", help="Id of the library. Default: the one whose docs are in the repository.")
@click.option(
    "--repository",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="A folder of the repository. Default: the working directory.",
)
@click.option("--code", is_flag=True, help="Check the code blocks of the changed pages, too.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the differences to this HTML file.")
def review(base: str, head: str, *, library: str | None, repository: Path, code: bool, out: Path | None) -> None:
    """List the pages that a branch changes, and the faults that it adds: from BASE to HEAD, two commits of a clone."""
    from kinfolk.cli.check.docs_review import review_docs, review_html

    found = review_docs(process_settings(), repository.resolve(), base, head, library=library, with_code=code)
    for reviewed in found.pages:
        page = reviewed.page
        click.echo(f"{page.change}: {page.path}" + (f", before at {page.before}" if page.before else ""))
    if not found.pages:
        click.echo("No page differs")
    for fault in found.findings:
        click.echo(f"new: {fault.message}")
    if found.known:
        known = "1 fault is" if found.known == 1 else f"{found.known} faults are"
        click.echo(f"{known} in {base}, too", err=True)
    if out is not None:
        out.write_text(review_html(found), encoding="utf-8")
    if found.findings:
        raise click.ClickException("1 new fault" if len(found.findings) == 1 else f"{len(found.findings)} new faults")
