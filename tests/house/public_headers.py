"""Compiles each public header alone (twice in one unit, warnings are errors, no include path but include/) and looks at
all it pulls in: no Boost, Z3, asmjit, JSON or command-line library, however deep. Headers `*.h` must be C as well. Then
all of them together, in both orders: no name is defined twice. The umbrella header must name every one but the solver's.

public_headers.py COMPILER [C_COMPILER]: prints HEADER: MESSAGE for each fault, exit 1. It first shows that it can fail,
on a header that needs another one and on one that pulls in Boost. Cost: about 0.4 s a header.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

FORBIDDEN = re.compile(r"(^|/)(boost|asmjit|nlohmann|CLI|doctest)/|(^|/)z3[\w+]*\.h|\bsrc/")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


def faults_of(compiler, language, include, header):
    """Faults of one header, as a list of texts."""
    standard = "-std=c++20" if language == "c++" else "-std=c11"
    with tempfile.TemporaryDirectory() as folder:
        deps = pathlib.Path(folder) / "deps"
        run = subprocess.run(
            [compiler, standard, "-fsyntax-only", *WARNINGS, "-I", str(include), "-MD", "-MF", str(deps), "-MT", "x",
             "-x", language, "-"],
            input=f'#include "{header}"\n#include "{header}"\n', capture_output=True, text=True)
        if run.returncode != 0:
            return [f"{header}: does not compile alone as {language}:\n{run.stderr}"]
        pulled = deps.read_text().replace("\\\n", " ").split()[1:]
    if not any(name.endswith(header) for name in pulled):
        return [f"{header}: not among what the compiler says it read: this check sees nothing"]
    bad = [name for name in pulled if FORBIDDEN.search(name)]
    return [f"{header}: pulls in {bad[0]} and {len(bad) - 1} more that no public header may show"] if bad else []


def together(compiler, include, headers):
    """Faults of all headers in one unit, forwards and backwards."""
    out = []
    for order in (headers, headers[::-1]):
        run = subprocess.run(
            [compiler, "-std=c++20", "-fsyntax-only", *WARNINGS, "-I", str(include), "-x", "c++", "-"],
            input="".join(f'#include "{header}"\n' for header in order), capture_output=True, text=True)
        if run.returncode != 0:
            out.append(f"all headers together do not compile:\n{run.stderr}")
    return out


def umbrella(include, headers):
    """Headers that dimgate/dimgate.hpp forgets."""
    text = (include / "dimgate" / "dimgate.hpp").read_text()
    apart = {"dimgate/dimgate.hpp", "dimgate/solver.hpp"}
    return [f"{header}: not in dimgate/dimgate.hpp" for header in headers
            if header.endswith(".hpp") and header not in apart and f'#include "{header}"' not in text]


def self_test(compiler):
    with tempfile.TemporaryDirectory() as folder:
        include = pathlib.Path(folder)
        (include / "boost").mkdir()
        (include / "boost" / "any.hpp").write_text("#pragma once\n")
        (include / "good.hpp").write_text("#pragma once\n#include <vector>\nstd::vector<int> f();\n")
        (include / "needs.hpp").write_text("#pragma once\nstd::vector<int> f();\n")
        (include / "unguarded.hpp").write_text("struct Twice {};\n")
        (include / "deep.hpp").write_text('#pragma once\n#include "deeper.hpp"\n')
        (include / "deeper.hpp").write_text("#pragma once\n#include <boost/any.hpp>\n")
        (include / "also.hpp").write_text("#pragma once\nnamespace a { struct Cause { int x; }; }\n")
        (include / "twice.hpp").write_text("#pragma once\nnamespace a { struct Cause {}; }\n")
        if together(compiler, include, ["also.hpp", "good.hpp"]) or not together(compiler, include, ["also.hpp", "twice.hpp"]):
            sys.exit("self-test: a name defined in two headers must not compile")
        for header, word in [("good.hpp", None), ("needs.hpp", "does not compile"), ("unguarded.hpp", "does not"),
                             ("deep.hpp", "pulls in")]:
            found = faults_of(compiler, "c++", include, header)
            if (word is None) != (not found) or (word and word not in found[0]):
                sys.exit(f"self-test: {header}: expected {word!r}, found {found}")


def main():
    include = pathlib.Path(__file__).resolve().parents[2] / "include"
    compiler, c_compiler = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "cc"
    self_test(compiler)
    headers = sorted(str(p.relative_to(include)) for p in include.rglob("*.h*"))
    jobs = [(compiler, "c++", include, header) for header in headers]
    jobs += [(c_compiler, "c", include, header) for header in headers if header.endswith(".h")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [fault for found in pool.map(lambda job: faults_of(*job), jobs) for fault in found]
    faults += together(compiler, include, headers) + umbrella(include, headers)
    print("\n".join(faults + [f"{len(headers)} public headers, {len(faults)} faults"]))
    return 1 if faults or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
