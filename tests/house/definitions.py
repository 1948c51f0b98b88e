"""Checks that a definition stands once.

Types: no class, struct or enum of one name in one namespace stands in two files; two in one program are undefined
behaviour, whether or not any file sees both. Files of one folder are compiled together (dimgate_batches in
cmake/DimgateTargets.cmake), so within a folder the types, constants and functions of unnamed namespaces must differ as
well, from each other and from the constants of any header.

definitions.py [--self-test]: prints NAME: FILES for each that does not, exit 1; with --self-test it first shows, on a small
tree, that it can fail. It reads text and takes a second; the linker says the same of functions (preset odr).
"""
import collections
import pathlib
import re
import sys
import tempfile

NAMESPACE = re.compile(r"\s*(?:inline )?namespace\s*([\w:]*)\s*(?:\[\[[^]]*\]\]\s*)?\{")
TYPE = re.compile(r"\s*(?:template\s*<.*>\s*)?(?:class|struct|enum class|enum|union)\s+(?:\[\[.*?\]\]\s*)?(\w+)(?![\w:])(?!.*;\s*$)")
CONSTANT = re.compile(r"(?:inline |static )?(?:constexpr|const)\s[\w:<>, ]*?\b(k[A-Z]\w*)\s*(?:=|\{|;)")
FUNCTION = re.compile(r"(?!return|else|for|if|while|switch|using|namespace)[\w:<>&*, \[\]]+?[\s&*](\w+)\(([^()]*)\)\s*(?:const )?(?:noexcept )?\{")
UNNAMED = "{unnamed}"


def definitions(text):
    """(namespaces, kind, name) of what is defined at the level of a namespace."""
    depth, inside = 0, []
    for line in text.splitlines():
        line = re.sub(r'"(\\.|[^"\\])*"', '""', line)
        line = re.sub(r"'(\\.|[^'\\])'", "''", line).split("//")[0]
        found = NAMESPACE.match(line)
        if found:
            inside.append((depth, found.group(1) or UNNAMED))
        elif depth == len(inside):
            names = [name for _, name in inside]
            for kind, pattern in (("type", TYPE), ("constant", CONSTANT), ("function", FUNCTION)):
                found = pattern.match(line)
                if found and kind == "constant":
                    yield from ((names, kind, name) for name in re.findall(r"\b(k[A-Z]\w*)\s*(?:=(?!=)|\{)", line))
                elif found:
                    yield names, kind, found.group(1) + ("(" + found.group(2) + ")" if kind == "function" else "")
                if found:
                    break
        depth += line.count("{") - line.count("}")
        while inside and depth <= inside[-1][0]:
            inside.pop()


def doubles(root):
    types, own, shared = (collections.defaultdict(set) for _ in range(3))
    for folder in ("src", "solver", "include", "docs/examples"):
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            place = str(path.relative_to(root))
            for names, kind, name in definitions(path.read_text(encoding="utf-8")):
                if UNNAMED not in names and kind == "type":
                    types["::".join(names + [name])].add(place)
                elif UNNAMED in names and path.suffix == ".cpp":
                    names = [n for n in names if n != UNNAMED]
                    own[(str(path.parent), "::".join(names + [name]))].add(place)
                elif UNNAMED not in names and kind == "constant" and path.suffix == ".hpp":
                    shared["::".join(names + [name])].add(place)
    for (_, name), where in own.items():
        where |= shared.get(name, set())
    found = [(name, where) for name, where in types.items()] + [(name, where) for (_, name), where in own.items()]
    return sorted(f"{name}: {', '.join(sorted(where))}" for name, where in found if len(where) > 1)


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("src/x", "src/y", "include"):
            (root / name).mkdir(parents=True)
        (root / "src" / "x" / "a.hpp").write_text("namespace d {\nclass Seen;\nstruct Cause {\n  int x;\n};\nnamespace {\nstruct Own {\n};\n}\n}\n")
        (root / "include" / "b.hpp").write_text("namespace d {\ninline constexpr int kMost = 1;\nstruct Cause {\n};\nstruct Own {\n};\nclass Seen {\n};\nstruct Seen::Impl {\n};\n}\n")
        same = "namespace d {\nnamespace {\nconstexpr int kFew = 3;\nint half(int x) { return x / 2; }\n}\n}\n"
        (root / "src" / "x" / "c.cpp").write_text(same)
        (root / "src" / "x" / "d.cpp").write_text(same)
        (root / "src" / "y" / "e.cpp").write_text("namespace d {\nnamespace {\nconstexpr int kFew = 4, kMost = 2;\n}\n}\n")
        expected = ["d::Cause: include/b.hpp, src/x/a.hpp", "d::half(int x): src/x/c.cpp, src/x/d.cpp",
                    "d::kFew: src/x/c.cpp, src/x/d.cpp", "d::kMost: include/b.hpp, src/y/e.cpp"]
        assert doubles(root) == expected, doubles(root)


if __name__ == "__main__":
    if "--self-test" in sys.argv[1:]:
        self_test()
    found = doubles(pathlib.Path(__file__).resolve().parents[2])
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
