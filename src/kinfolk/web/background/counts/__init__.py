"""What is counted in memory, and written to the database later."""
