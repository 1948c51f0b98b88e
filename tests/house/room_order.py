"""Checks every #include line of the tree against the order of rooms in cmake/rooms.txt.

A room includes itself and rooms above it, and of these only rooms in libraries that its own library links. Public
headers belong to the room that lists them. The examples see public headers alone; of them the faces see the models. Prints FILE:LINE: MESSAGE for each
line that breaks this, exit 1; with --self-test it first shows, on small trees, that it can fail.
Cost: one pass over the text of src, solver, include and docs/examples.
"""
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
LINKS = {  # what each library may use; the faces see everything
    "runtime": {"runtime"},
    "dimgate": {"runtime", "dimgate"},
    "solver": {"runtime", "dimgate", "solver"},
    "face": {"runtime", "dimgate", "solver", "face"},
}


class Rooms:
    def __init__(self, path):
        self.order, self.library, self.header = [], {}, {}
        for line in path.read_text().splitlines():
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            room, library, headers = words[0], words[1], words[2:]
            self.order.append(room)
            self.library[room] = library
            for header in headers:
                self.header["dimgate/" + header] = room

    def why_not(self, user, used):
        """What forbids room `user` to include room `used`, or None."""
        if user == used:
            return None
        if self.order.index(used) > self.order.index(user):
            return f"room {user} may not include room {used}, which stands below it"
        if self.library[used] not in LINKS[self.library[user]]:
            return f"room {user} ({self.library[user]}) may not include room {used} ({self.library[used]})"
        return None


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in {".hpp", ".h", ".cpp", ".c"})


def owner(rooms, top, path):
    """The room a file belongs to; None for an example."""
    parts = path.relative_to(top).parts
    if parts[0] == "src":
        return parts[1]
    if parts[0] == "solver":
        return "solver"
    if parts[0] == "include":
        name = "/".join(parts[1:])
        return "c" if name.startswith("dimgate/c/") else rooms.header.get(name, "")
    return None


def check_line(rooms, top, path, room, quote, target):
    """What is wrong with one #include line of a file of `room`, or None."""
    if target.startswith("dimgate/"):
        used = "c" if target.startswith("dimgate/c/") else rooms.header.get(target)
        if used is None:
            return f"{target} is in no room: list it in cmake/rooms.txt"
    elif target.split("/")[0] in rooms.order and "/" in target:
        used = target.split("/")[0]
        if room is None:
            return f"{target} is private to room {used}: examples use public headers alone"
    elif quote == '"' and (path.parent / target).exists():
        there = (path.parent / target).resolve()
        used = owner(rooms, top, there) if there.is_relative_to(top) else None
        if used is None or room is None:
            return None
    elif room and rooms.library[room] == "face" and any(
        (top / "docs/examples" / folder / target).exists() for folder in ("models", "demo")
    ):
        return None  # the faces link the example models and what `demo` runs
    elif quote == '"':
        return f'"{target}" is neither a public header, nor ROOM/FILE, nor beside this file'
    else:
        return None
    return None if room is None else rooms.why_not(room, used)


def check(top):
    top = top.resolve()
    rooms = Rooms(top / "cmake" / "rooms.txt")
    faults, files = [], 0
    for folder in ("include", "src", "solver", "docs/examples"):
        for path in sources(top / folder):
            files += 1
            place = path.relative_to(top)
            room = owner(rooms, top, path)
            if room is not None and room not in rooms.order:
                faults.append(f"{place}:1: in no room: list it in cmake/rooms.txt")
                continue
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                if match := INCLUDE.match(line):
                    if wrong := check_line(rooms, top, path, room, *match.groups()):
                        faults.append(f"{place}:{number}: {wrong}")
    return faults, files


def self_test(top):
    """Small trees, each with one line that must be found (or, marked None, must pass)."""
    cases = [
        ("src/base/a.cpp", '#include "dimgate/integer.hpp"', None),
        ("src/prove/a.cpp", '#include "facts/b.hpp"', None),
        ("src/facts/a.cpp", '#include "prove/b.hpp"', "src/facts/a.cpp:2: room facts may not include room prove"),
        ("src/facts/a.cpp", '#  include <dimgate/prove.hpp>', "src/facts/a.cpp:2: room facts may not include room prove"),
        ("src/program/a.cpp", '#include "dimgate/expr.hpp"', "src/program/a.cpp:2: room program (runtime) may not"),
        ("src/cache/a.cpp", '#include "dimgate/program.hpp"', None),
        ("src/guard/a.cpp", '#include "dimgate/solver.hpp"', "src/guard/a.cpp:2: room guard (dimgate) may not"),
        ("solver/a.cpp", '#include "dimgate/prove.hpp"', None),
        ("solver/a.cpp", '#include "dimgate/guard.hpp"', "solver/a.cpp:2: room solver may not include room guard"),
        ("src/cli/a.cpp", '#include "dimgate/solver.hpp"', None),
        ("include/dimgate/expr.hpp", '#include "dimgate/facts.hpp"', "include/dimgate/expr.hpp:2: room expr may not"),
        ("include/dimgate/stray.hpp", "", "include/dimgate/stray.hpp:1: in no room"),
        ("src/expr/a.cpp", '#include "dimgate/stray.hpp"', "src/expr/a.cpp:2: dimgate/stray.hpp is in no room"),
        ("src/expr/a.cpp", '#include "nowhere.hpp"', 'src/expr/a.cpp:2: "nowhere.hpp" is neither'),
        ("src/attic/a.cpp", "", "src/attic/a.cpp:1: in no room"),
        ("docs/examples/a.cpp", '#include "expr/poly.hpp"', "docs/examples/a.cpp:2: expr/poly.hpp is private"),
        ("src/base/a.cpp", "#include <vector>", None),
    ]
    for place, line, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "cmake").mkdir()
            (tree / "cmake" / "rooms.txt").write_text((top / "cmake" / "rooms.txt").read_text())
            file = tree / place
            file.parent.mkdir(parents=True)
            file.write_text(f"// first line\n{line}\n")
            faults, _ = check(tree)
            found = faults[0] if faults else None
            if (expected is None) != (found is None) or (expected and not found.startswith(expected)):
                sys.exit(f"self-test: {place} with {line!r}: expected {expected!r}, found {found!r}")


def main():
    top = pathlib.Path(__file__).resolve().parents[2]
    if "--self-test" in sys.argv[1:]:
        self_test(top)
    faults, files = check(top)
    print("\n".join(faults + [f"{files} files, {len(faults)} faults"]))
    return 1 if faults or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
