"""The family's blog: Markdown files whose front matter is checked, read again when they change."""

from kinfolk.blog.post import Post
from kinfolk.blog.posts import Blog, read_posts

__all__ = ["Blog", "Post", "read_posts"]
