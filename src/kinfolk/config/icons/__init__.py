"""Icons that the data of a site names: drawings of the interface in `interface_icons.toml`, and brand icons."""

from kinfolk.config.icons.icon_set import (
    BRAND_ICONS,
    NEUTRAL_ICON,
    IconSet,
    IconShape,
    has_brand_icons,
    interface_icons,
    load_icons,
    unknown_icons,
)

__all__ = [
    "BRAND_ICONS",
    "NEUTRAL_ICON",
    "IconSet",
    "IconShape",
    "has_brand_icons",
    "interface_icons",
    "load_icons",
    "unknown_icons",
]
