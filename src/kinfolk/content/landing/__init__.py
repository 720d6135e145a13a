"""The landing page of a library: `landing` has its content, `library_face` the library's icon and pattern as SVG."""
