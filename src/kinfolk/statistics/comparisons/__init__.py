"""The comparison of packages at `/stats/npm`: its query, its chart, and the same as CSV, feed and picture."""
