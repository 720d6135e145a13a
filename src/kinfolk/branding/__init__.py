"""The look of a site: made of `[brand]` of kinfolk.toml, `theme.css` and the files that they name, without a build.

`site_brand` has all of it: `brand_colors` (both themes, with contrast), `brand_fonts`, `brand_marks` (favicon, logo,
wordmark), `app_icons` (PNG and ICO of the favicon), `brand_css` (the stylesheet). `palette` has the colors of
libraries, `patterns` their drawings, `share_images` the Open Graph images. `content` and all packages above it may
import this one.
"""

from kinfolk.branding.site_brand import SiteBrand, brand_errors, load_brand

__all__ = ["SiteBrand", "brand_errors", "load_brand"]
