"""Accelerators under the calls of this process, and matrices that stay with them."""

from . import _library


class _Before:
    """What use_devices() gives: the choice before comes back at the end of a with block."""

    def __init__(self, before):
        self._before = before

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        _library.set_devices(self._before)


def use_devices(devices):
    """Calls run on these accelerators from now on, or within a with block: "auto", all that the machine has, "cuda", "cuda:0,1",
    "emulated:2", "none". ValueError for another text, hetc.Error when one cannot be opened: nothing has changed then."""
    if not isinstance(devices, str):
        raise TypeError(f"devices must be a str, not {type(devices).__name__}")
    before = _library.set_devices(devices)
    try:
        _library.open_devices()
    except BaseException:
        _library.set_devices(before)
        raise
    return _Before(before)


class Residence:
    """Of the matrices of a call (Algorithm.resident())."""

    _depth = 0
    _arrays = [] # of all residences, whose matrices stay until the outermost ends

    def __init__(self, algorithm, windows, scalars, threads, tile, arrays):
        self._call = algorithm, windows, scalars, threads, tile
        self._own = arrays

    def __enter__(self):
        _library.make_resident(*self._call)
        Residence._depth += 1
        Residence._arrays.extend(self._own)
        return self

    def __exit__(self, *exception):
        Residence._depth -= 1
        try:
            if _library.has_residents(): # but in a child that was forked meanwhile
                _library.update_host()
        finally:
            if Residence._depth == 0:
                _library.release_residents()
                Residence._arrays.clear()

    def update_host(self):
        """The content of all resident matrices goes to their arrays."""
        _library.update_host()

    def update_devices(self):
        """The content of the arrays goes to the devices."""
        _library.update_devices()
