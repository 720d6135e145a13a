"""What an import found, as data: `imported_site` for the site, `imported_library` for each of its libraries."""
