"""Parts of a Python program that heddle record shows by the names that the program gives them.

    from heddle_record import iteration, region

    for step in range(n_steps):
        with iteration("step"):
            compute()

Without heddle record these do nothing. As heddle/record.h, which has the details.
"""
import contextlib
import ctypes


def _nothing(name):
    pass


def _find(name):
    """A function of the recorder, which is loaded before the program."""
    try:
        found = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError):
        return _nothing
    found.argtypes, found.restype = [ctypes.c_char_p], None
    return found


_calls = {name: _find("heddle_record_" + name) for name in ("region_begin", "region_end", "iteration_begin", "iteration_end")}


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
