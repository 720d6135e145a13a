"""The functions of the API, one module for each feature of the frontend."""
