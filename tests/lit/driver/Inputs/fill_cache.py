"""Makes entries of programs in a cache, one an hour later than the other: fill_cache.py CACHE FIRST END."""
import os
import sys

cache, first, end = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for i in range(first, end):
    entry = os.path.join(cache, f"0123456789012345678901234567{i}")
    os.mkdir(entry)
    for name in ("lock", "program", "manifest"):
        open(os.path.join(entry, name), "w", encoding="utf-8").close()
    os.utime(os.path.join(entry, "manifest"), (10**9 + 3600 * i,) * 2)
