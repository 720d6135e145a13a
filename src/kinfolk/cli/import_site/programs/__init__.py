"""The programs that `kinfolk import` knows.

`program` describes one, `program_table` has all: how a program is found, and the reader of its configuration. A program
is a module or a folder here.
"""
