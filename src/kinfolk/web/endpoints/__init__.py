"""A module for each kind of address, by area. `web.app` dispatches requests to them."""
