"""A fake bundle that highlights by converting to upper case, and fails if the code contains certain words."""

from __future__ import annotations

BUNDLE = """
var __HL = {
  highlight(request) {
    return JSON.stringify(JSON.parse(request).map(({ code }) => {
      if (code === 'spin') for (;;);
      if (code === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      if (code === 'throw') throw new Error('thrown');
      if (code === 'heap') for (const all = []; ;) all.push(new Array(1e6).fill(all.length));
      if (code === 'garbage') return 7;
      if (code === 'fault') return { html: code, fault: 'is too hard' };
      return { html: code.toUpperCase() };
    }))
  },
}
"""
