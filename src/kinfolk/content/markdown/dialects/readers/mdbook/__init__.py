"""The dialect of mdBook: included files, hidden lines of code, and the callouts of mdbook-admonish."""
