from pathlib import Path

from hypothesis import settings

# No time limit for one example: a busy machine is not a failure. Same examples in every run.
settings.register_profile("benchmill", deadline=None, derandomize=True, database=None)
settings.load_profile("benchmill")


#: Files with the longest tests.
LONGEST = ("test_tutorial.py", "test_competition.py", "test_package.py", "test_extending.py", "test_module.py", "test_runs.py")


#: Tests of two seconds and more, `path::function`, and files whose fixtures take long: `make test` leaves them to `make
#: thorough-test`.
THOROUGH = frozenset((Path(__file__).parent / "thorough.txt").read_text("utf-8").split())


def pytest_collection_modifyitems(items):
    """Runs of the whole workflow come first, the longest before the others: short tests at the end keep all processes busy."""
    for item in items:
        if not THOROUGH.isdisjoint([item.nodeid.partition("[")[0], item.nodeid.partition("::")[0]]):
            item.add_marker("thorough")
    place = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: (item.get_closest_marker("workflow") is None, place.get(item.path.name, len(place))))
