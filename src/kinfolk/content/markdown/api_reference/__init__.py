"""Pages of TypeDoc: how they are recognized and laid out, with their signatures and links of types."""
