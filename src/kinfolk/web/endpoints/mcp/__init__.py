"""`/mcp`: the Model Context Protocol over HTTP, for agents."""
