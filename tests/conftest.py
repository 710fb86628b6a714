from hypothesis import settings

# No time limit for one example: a busy machine is not a failure. Same examples in every run.
settings.register_profile("benchmill", deadline=None, derandomize=True, database=None)
settings.load_profile("benchmill")


def pytest_collection_modifyitems(items):
    """Runs of the whole workflow come first: short tests at the end keep all processes busy to the last."""
    items.sort(key=lambda item: item.get_closest_marker("workflow") is None)
