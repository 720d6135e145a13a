"""Kinfolk: one website for a family of open-source libraries."""
