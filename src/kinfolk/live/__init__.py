"""Live events: topics whose current state browsers and other processes follow."""
