"""`kinfolk doctor`: what is wrong with a site and its surroundings, and what to do. It changes nothing.

`checkup` runs checks at the same time, each with a deadline. The other modules have the checks by subject.
"""
