"""Python's numbers as the C interface takes them: exactly, or refused by name. What a parameter takes beyond that, the
interface itself decides, as it does for the command (runtime/interfaces/scalars.hpp)."""

import operator

_LEAST, _BEYOND = -(1 << 31), 1 << 31 # of C's int


def shown(value):
    """The value's repr, shortened for messages; an int of thousands of digits has no repr."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= 60 else text[:57] + "..."


def _is_scalar(value):
    """Whether the value may be a number: no text, though complex() would take it, no bool, and no array of one element."""
    dtype = getattr(value, "dtype", None)
    return (not isinstance(value, (str, bytes, bytearray, bool)) and not getattr(value, "ndim", 0) and
            getattr(dtype, "kind", "f") in "iufc")


def whole(name, value, least=_LEAST, beyond=_BEYOND):
    """The int that an integer of Python or NumPy is. It is compared here: ctypes keeps the low bits of one that is too large."""
    try:
        number = operator.index(value) if _is_scalar(value) else None
    except TypeError:
        number = None
    if number is None:
        raise TypeError(f"{name} is {shown(value)}; it must be an int")
    if number < least:
        raise ValueError(f"{name} is {shown(number)}; it must be at least {least}")
    if number >= beyond:
        raise ValueError(f"{name} is {shown(number)}; it must be below {beyond}")
    return number


def number(name, kind, value):
    """The complex number that a number of Python or NumPy is. `kind`: "T" or "real", for messages."""
    try:
        if _is_scalar(value):
            return complex(value)
    except OverflowError: # an int
        raise ValueError(f"{name} is {shown(value)}; it must be a finite number of type {kind}") from None
    except (AttributeError, TypeError, ValueError):
        pass
    raise TypeError(f"{name} is {shown(value)}; it must be a number of type {kind}")
