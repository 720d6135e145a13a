"""Pages as HTML, and the API functions that they call at `/_server/`."""
