"""Free memory inside glibc's heap is returned to the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import asyncio, os
from kinfolk.runtime.services import allocator

def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

async def main():
    allocator.set_up_allocator()
    allocator.RELEASE_EVERY_S = 0.01
    blocks = [bytes(20_000) for _ in range(5_000)]
    unchanged = blocks[::50]
    del blocks
    before = resident_mb()
    task = asyncio.create_task(allocator.release_free_memory())
    async with asyncio.timeout(30):
        while before - resident_mb() < 50:
            await asyncio.sleep(0.01)
    task.cancel()
    print("released beside", len(unchanged))

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's allocator")
def test_memory_between_blocks_in_use_is_returned() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "released beside 100"), done.stderr
