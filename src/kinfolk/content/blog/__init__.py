"""The blog: Markdown files with checked front matter, read again when they change."""

from kinfolk.content.blog.post import BlogPost
from kinfolk.content.blog.posts import Blog, read_posts

__all__ = ["Blog", "BlogPost", "read_posts"]
