"""V8 isolates that hold the frontend bundle: one with its limits, a pool of them, and the input of a round."""
