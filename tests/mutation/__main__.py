"""Plant small mistakes in the kernels and see whether a test notices.

python -m tests.mutation                             the rooms, and how many mutants they have
python -m tests.mutation profiles                    a hundred mutants of a room, the same in every run
python -m tests.mutation profiles 400 7              so many, of another sample
python -m tests.mutation profiles 12 1 ratios        so many of these modules
python -m tests.mutation profiles all ratios nested  every mutant of these modules

The tests of the room are collected once; each mutant gets a fork of that process, in which the tests that
run its lines are run, the fastest first, until one fails. What survives and is not explained in `explained.py`
is printed, and makes the exit status 1.
"""

import sys

from tests.mutation import rooms, trying


def main(arguments):
    if not arguments or arguments[0] not in rooms.ROOMS:
        return "rooms: " + ", ".join(f"{name} ({len(trying.choose(room.modules))} mutants)" for name, room in rooms.ROOMS.items())
    room = rooms.ROOMS[arguments[0]]
    number, *rest = [*arguments[1:], "1"] if len(arguments) > 1 else ["100", "1"]
    names = rest if number == "all" else rest[1:]
    modules = [module for module in room.modules if module.rpartition(".")[2] in names] or room.modules
    chosen = trying.choose(modules) if number == "all" else trying.choose(modules, int(number), rest[0])
    return trying.report(trying.try_all(chosen, room.tests))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
