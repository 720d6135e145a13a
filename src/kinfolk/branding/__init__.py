"""The look of a site, made of `[brand]` of kinfolk.toml, `theme.css` and the files that they name, without a build."""

from kinfolk.branding.site_brand import SiteBrand, brand_errors, load_brand

__all__ = ["SiteBrand", "brand_errors", "load_brand"]
