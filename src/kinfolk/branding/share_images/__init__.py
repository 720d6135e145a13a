"""Draws the Open Graph images that represent pages where their links are shared."""

from kinfolk.branding.share_images.share_image import MARK_HEIGHT, ShareImage

__all__ = ["MARK_HEIGHT", "ShareImage"]
