"""A bundle that highlights by shouting, and misbehaves where the code says so."""

from __future__ import annotations

TOY = """
var __HL = {
  highlight(request) {
    return JSON.stringify(JSON.parse(request).map(({ code }) => {
      if (code === 'spin') for (;;);
      if (code === 'throw') throw new Error('thrown');
      if (code === 'heap') for (const all = []; ;) all.push(new Array(1e6).fill(all.length));
      if (code === 'garbage') return 7;
      if (code === 'fault') return { html: code, fault: 'is too hard' };
      return { html: code.toUpperCase() };
    }))
  },
}
"""
