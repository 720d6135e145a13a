"""Algolia's protocol, as its official clients speak it. Nothing here touches a disk, a clock or a network.

parameters, filters, settings, records, events   what clients write, read into our own words
answers, hits                                    our answers, as clients read them
keys                                             who may do what
fault                                            what is wrong, in the words that clients show
"""
