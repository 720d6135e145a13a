"""The tools of the MCP endpoint: functions of a context and arguments, without anything of the protocol.

    tool = TOOLS["read_page"]
    docs = site.content.publisher.docs
    answer = tool.call(ToolContext(site, docs, today), {"address": "/query/latest/docs/overview"})

Tools only read. Each answer has the version of the docs, the revision that it was read from, and absolute addresses.
"""
