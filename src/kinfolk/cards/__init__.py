"""The pictures that stand for pages where their links are shared (Open Graph)."""

from kinfolk.cards.card import Card

__all__ = ["Card"]
