"""Accelerators under the calls of this process, and matrices that stay with them."""

from . import _library


class _Before:
    """The result of use_devices(): a with block that brings back the earlier choice at its end."""

    def __init__(self, before):
        self._before = before

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        _library.set_devices(self._before)


def use_devices(devices):
    """Makes calls run on these accelerators from now on, or within a with block: "auto", all that the machine has, "cuda", "cuda:0,1",
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
    """A context in which the matrices of a call are resident (Algorithm.resident())."""

    def __init__(self, *call):
        self._call = call
        self._windows = None

    def __enter__(self):
        if self._windows is not None:
            raise RuntimeError("the matrices are resident already")
        self._windows = _library.make_resident(*self._call)
        return self

    def __exit__(self, *exception):
        windows, self._windows = self._windows, None
        _library.release(windows)

    def update_host(self):
        """Copies the parts of these matrices that runs have written to their arrays."""
        _library.update(self._open(), True)

    def update_devices(self):
        """Copies the content of their arrays to the devices."""
        _library.update(self._open(), False)

    def _open(self):
        if self._windows is None:
            raise RuntimeError("the matrices are not resident: the block has ended, or not begun")
        return self._windows
