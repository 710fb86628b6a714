"""A mutant put in the place of a module that others have imported already."""

import functools
import inspect
import sys


def plant(module, tree):
    """Give the functions and values of `module` those of the mutant `tree`.

    Functions stay the objects that others have imported and get other code; values change wherever they are.
    """
    where = {module.__name__.partition(".")[0], "tests"}
    package = [other for name, other in list(sys.modules.items()) if name.partition(".")[0] in where]
    namespace = {name: value for name, value in vars(module).items() if name.startswith("__")}
    exec(compile(tree, module.__file__, "exec"), namespace)
    _graft(module, namespace, module.__name__, package)
    for other in package:
        for value in list(vars(other).values()):
            if isinstance(value, functools._lru_cache_wrapper):
                value.cache_clear()


def _graft(owner, new, home, package):
    for name, value in new.items():
        if name == "__dataclass_fields__":
            # what is said of the fields, such as the schema of an option
            setattr(owner, name, value)
        if name.startswith("__") and not inspect.isfunction(value):
            continue
        old = vars(owner).get(name)
        before, after = _function(old), _function(value)
        if inspect.isfunction(before) and inspect.isfunction(after) and before.__module__ == home:
            before.__code__ = after.__code__
            before.__defaults__, before.__kwdefaults__ = after.__defaults__, after.__kwdefaults__
        elif inspect.isclass(old) and inspect.isclass(value) and old.__module__ == home:
            _graft(old, dict(vars(value)), home, package)
        elif old is not value and inspect.ismodule(owner):
            for other in package:
                if vars(other).get(name) is old:
                    setattr(other, name, value)


def _function(value):
    if isinstance(value, property):
        return value.fget
    if isinstance(value, functools.cached_property):
        return value.func
    if isinstance(value, staticmethod | classmethod):
        return value.__func__
    return inspect.unwrap(value) if callable(value) else value
