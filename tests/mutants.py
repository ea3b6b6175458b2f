"""A room with one line changed, so that a test can prove that its law would notice."""
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from hypothesis import Phase, settings

from amend_nb.measures import MEASURES

settings.register_profile("found is enough", phases=(Phase.explicit, Phase.generate), database=None)


def mutant(module: ModuleType, *changes: tuple[str, str]) -> ModuleType:
    "A copy of `module` with every (old, new) made once; an old that is no longer there is an error."
    source = Path(module.__file__).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in source, f"{old!r} is no longer in {module.__name__}: choose another mutant"
        source = source.replace(old, new, 1)
    spec = importlib.util.spec_from_loader(f"amend_nb._mutant_{module.__name__.rsplit('.')[-1]}", loader=None)
    changed = importlib.util.module_from_spec(spec)
    changed.__package__ = "amend_nb"
    sys.modules[spec.name] = changed     # dataclasses look their module up
    known = dict(MEASURES)
    for name, m in known.items():        # a mutant registers its measures anew
        if getattr(m.source or m.value, "__module__", "") == module.__name__: del MEASURES[name]
    try: exec(compile(source, "mutant", "exec"), changed.__dict__)
    finally:
        del sys.modules[spec.name]
        MEASURES.clear()
        MEASURES.update(known)
    return changed


def breaks(law, module: ModuleType) -> bool:
    "Does `law` find the mutant wrong? A crash is no finding."
    before = settings.get_current_profile_name()
    settings.load_profile("found is enough")     # no shrinking: that it fails is all we ask
    try: law(module)
    except (AssertionError, ExceptionGroup): return True
    finally: settings.load_profile(before)
    return False
