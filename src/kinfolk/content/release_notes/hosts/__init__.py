"""The releases that GitHub, GitLab and Forgejo list: requested, kept in the database, and kept current."""
