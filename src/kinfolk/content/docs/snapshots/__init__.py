"""The docs of all libraries at one time: a docs snapshot, its readers, and the switch to the next one."""
