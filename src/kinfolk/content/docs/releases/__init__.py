"""The docs of all libraries at one time: a release, its readers, and the switch to the next one."""
