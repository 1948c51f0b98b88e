"""Checks that a type is defined once: no class, struct or enum of one name in one namespace stands in two files.

definitions.py [--self-test]: prints NAME: FILES for each that does, exit 1; with --self-test it first shows, on a small
tree, that it can fail. Two such types in one program are undefined behaviour, whether or not any file sees both. It reads
the text of src, solver, include and docs/examples (types in unnamed namespaces and inside classes are a file's own), and
takes a second; the linker says the same of functions (preset lto in CMakePresets.json).
"""
import collections
import pathlib
import re
import sys
import tempfile

NAMESPACE = re.compile(r"\s*(?:inline )?namespace\s*([\w:]*)\s*(?:\[\[[^]]*\]\]\s*)?\{")
TYPE = re.compile(r"\s*(?:template\s*<.*>\s*)?(?:class|struct|enum class|enum|union)\s+(?:\[\[.*?\]\]\s*)?(\w+)(?![\w:])(?!.*;\s*$)")
UNNAMED = "{unnamed}"


def types_of(text):
    """Qualified names of the types that are defined at the level of a named namespace."""
    depth, inside = 0, []
    for line in text.splitlines():
        line = re.sub(r'"(\\.|[^"\\])*"', '""', line)
        line = re.sub(r"'(\\.|[^'\\])'", "''", line).split("//")[0]
        found = NAMESPACE.match(line)
        if found:
            inside.append((depth, found.group(1) or UNNAMED))
        elif depth == len(inside) and all(name != UNNAMED for _, name in inside):
            found = TYPE.match(line)
            if found:
                yield "::".join([name for _, name in inside] + [found.group(1)])
        depth += line.count("{") - line.count("}")
        while inside and depth <= inside[-1][0]:
            inside.pop()


def doubles(root):
    files = collections.defaultdict(set)
    for folder in ("src", "solver", "include", "docs/examples"):
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            for name in types_of(path.read_text(encoding="utf-8")):
                files[name].add(str(path.relative_to(root)))
    return [f"{name}: {', '.join(sorted(where))}" for name, where in sorted(files.items()) if len(where) > 1]


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("src", "include"):
            (root / name).mkdir()
        (root / "src" / "a.hpp").write_text("namespace d {\nclass Seen;\nstruct Cause {\n  int x;\n};\nnamespace {\nstruct Own {\n};\n}\n}\n")
        (root / "include" / "b.hpp").write_text("namespace d {\nstruct Cause {\n};\nstruct Own {\n};\nclass Seen {\n};\nstruct Seen::Impl {\n};\n}\n")
        assert doubles(root) == ["d::Cause: include/b.hpp, src/a.hpp"], doubles(root)


if __name__ == "__main__":
    if "--self-test" in sys.argv[1:]:
        self_test()
    found = doubles(pathlib.Path(__file__).resolve().parents[2])
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
