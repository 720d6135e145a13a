"""Download counts of npm, and figures of repositories and packages.

`npm_statistics` is what the API reads. `comparisons` has the query and the chart of /stats/npm, `histories` what is
stored, `importing` fetches counts in the background, `stars` those of GitHub. `npm_config` reads npm.toml,
`package_name` and `package_search` find packages, `recent_downloads` has totals for agents. `figures` has stars,
contributors, dependents and downloads of libraries. `site` and all packages above it may import this one.
"""
