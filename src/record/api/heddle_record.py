"""Parts of a Python program that heddle record shows by the names that the program gives them.

    from heddle_record import iteration, region, topology_define, topology_place

    for step in range(n_steps):
        with iteration("step"):
            compute()

    topology_define("mesh", {"x": 4, "y": 2}, periodic=["x"])
    topology_place("mesh", rank // 2, rank % 2)

Without heddle record these do nothing. As heddle/record.h, which has the details.
"""
import contextlib
import ctypes


def _nothing(*arguments):
    pass


def _find(name, types=(ctypes.c_char_p,)):
    """A function of the recorder, which is loaded before the program."""
    try:
        found = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError):
        return _nothing
    found.argtypes, found.restype = types, None
    return found


_calls = {name: _find("heddle_record_" + name) for name in ("region_begin", "region_end", "iteration_begin", "iteration_end")}

_ints, _texts = ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_char_p)
_define = _find("heddle_record_topology_define", (ctypes.c_char_p, ctypes.c_int, _ints, _ints, _texts))
_place = _find("heddle_record_topology_place", (ctypes.c_char_p, ctypes.c_int, _ints))


@contextlib.contextmanager
def _marked(kind, name):
    text = name.encode()
    _calls[kind + "_begin"](text)
    try:
        yield
    finally:
        _calls[kind + "_end"](text)


def region(name):
    """with region("input"): ..."""
    return _marked("region", name)


def iteration(name):
    """with iteration("step"): ... in a loop: all iterations have the name of the loop."""
    return _marked("iteration", name)


def topology_define(name, dimensions, periodic=()):
    """A Cartesian topology. dimensions: {name: size}; periodic: names of those that are."""
    n = len(dimensions)
    flags = [dimension in periodic for dimension in dimensions]
    _define(name.encode(), n, (ctypes.c_int * n)(*dimensions.values()), (ctypes.c_int * n)(*flags),
            (ctypes.c_char_p * n)(*(dimension.encode() for dimension in dimensions)))


def topology_place(name, *coordinates):
    """Where the calling thread is on it, a number for each dimension, from 0 on."""
    _place(name.encode(), len(coordinates), (ctypes.c_int * len(coordinates))(*coordinates))
