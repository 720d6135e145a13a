"""npm download statistics: stored histories, and comparisons of packages.

comparison, comparison_query   what the reader compares: the query of /stats/npm
npm_config                     npm.toml: categories, baselines, known outages
history, history_store         the daily downloads of a package, and where they are stored
sample                         synthetic histories
series                         sums, bins, baselines, changes: pure functions on arrays
chart_builder, comparison_chart   what a comparison shows: series, figures, notes
comparison_table, comparison_feed, picture_png   the same as CSV, as a feed, and as a picture
version_counts                 downloads by version
downloads_api, importer        fetching counts from npm
import_plan, import_queue      what is due, and what readers requested
importer_state, import_coverage   how the last requests went, and what is stored
github_stars, star_store, star_refresh   stars of the libraries' repositories
history_file                   export and import of stored counts
statistics                     what the functions of the API read
"""
