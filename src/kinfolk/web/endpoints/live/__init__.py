"""`/api/live`: the stream of live events, and the states that it sends."""
