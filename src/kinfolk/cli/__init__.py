"""The `kinfolk` command: a module or a package for each subcommand, and what only commands do.

`main` joins the subcommands. Subcommands import what they need when they run, which keeps the start fast. No other
package imports this one.
"""
