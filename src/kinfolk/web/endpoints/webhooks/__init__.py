"""`/_hooks/{host}`: what code hosts notify the site of.

`webhook_endpoint` checks and records requests, `webhook_formats` and `webhook_payloads` read them, `webhook_answers`
decides what an event changes.
"""
