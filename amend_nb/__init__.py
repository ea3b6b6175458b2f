"""Compare dictation tools, speech recognisers and correctors: how much must a person still fix?

Every public name is here (`from amend_nb import align`), but nothing is loaded before it is asked for:
`_names.py`, made from the notebooks, says which room holds which name.
"""
__version__ = "0.1.0"

from importlib import import_module as _import_module

from ._names import ROOM_OF as _ROOM_OF
from ._names import ROOMS as _ROOMS

__all__ = sorted(_ROOM_OF)
# `Alignment` gets its picture (`_repr_html_`) from the room that draws, which lies above it.
_TOGETHER = {"align": "render", "Alignment": "render"}


def __getattr__(name):
    if name in _ROOM_OF:
        room = _import_module("." + _ROOM_OF[name], __name__)
        if _TOGETHER.get(name) in _ROOMS: _import_module("." + _TOGETHER[name], __name__)
        globals()[name] = value = getattr(room, name)
        return value
    if name in _ROOMS: return _import_module("." + name, __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__(): return sorted({*globals(), *_ROOM_OF, *_ROOMS})
