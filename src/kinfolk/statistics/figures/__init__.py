"""Open-source figures of libraries and of the family: stars, contributors, dependents, downloads.

github_repository     stars and contributors of a repository
npm_dependents        dependents of a package
figure_store          the stored figures, and when each is due again
figure_refresh        the background task that keeps them current
open_source_figures   the figures that the site shows, and how they are added up
site_figures          what the API reads
"""
