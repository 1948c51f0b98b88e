"""Checks that every test file that a source file names (`Tested by tests/ROOM/NAME_test.cpp`) is there.

named_tests.py [--self-test]. Prints FILE:LINE: MESSAGE for each that is not, exit 1; with --self-test it first shows,
on a small tree, that it can fail. Cost: one pass over the text of src, solver and include.
"""
import pathlib
import re
import sys
import tempfile

NAMED = re.compile(r"\btests/[\w/]+\.(?:cpp|hpp|py)\b")


def faults(root):
    out = []
    for folder in ("src", "solver", "include"):
        for path in sorted((root / folder).rglob("*.[chi]*")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for name in NAMED.findall(line):
                    if not (root / name).exists():
                        out.append(f"{path.relative_to(root)}:{number}: {name} is not there")
    return out


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "src").mkdir()
        (root / "tests").mkdir()
        (root / "tests" / "here_test.cpp").write_text("")
        (root / "src" / "a.hpp").write_text("// Tested by tests/here_test.cpp.\n// Tested by tests/gone_test.cpp.\n")
        assert faults(root) == ["src/a.hpp:2: tests/gone_test.cpp is not there"], faults(root)


if __name__ == "__main__":
    if "--self-test" in sys.argv[1:]:
        self_test()
    found = faults(pathlib.Path(__file__).resolve().parents[2])
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
