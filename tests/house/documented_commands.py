"""Runs what the documentation tells people to type, and compares what it shows with what comes out.

documented_commands.py SOURCE_DIR BUILD_DIR FILE.md... reads fenced blocks:
  ```console   `$ COMMAND`, then the exact output (stdout and stderr; `...` stands for any text, alone on a line for any
               lines); must exit 0, or as `# exits N` at its end says
  ```sh        commands; must exit 0. Set-up lines are not run (they would recurse), but a `./dev WORD` must exist
  ```cpp       must stand, line for line, in a file of docs/examples (which are compiled and run as tests)
Commands run in a scratch folder that shows the source tree and BUILD_DIR as `build`, so nothing is written elsewhere;
BUILD_DIR is in the PATH, so that pages may say `dimgate` as people type it.
Prints FILE:LINE: MESSAGE for each fault, exit 1; first shows on a small text that it can fail.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SETUP = re.compile(r"^(git clone|cd |sudo |apt|cmake|ninja|\./dev\b)")
TIMEOUT = 300  # seconds, for one command


def blocks(text):
    """Fenced blocks as (language, line number of the first line, lines)."""
    found, language, start, lines = [], None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith("```"):
            if language is None:
                language, start, lines = line.strip()[3:].strip(), number + 1, []
            else:
                found.append((language, start, lines))
                language = None
        elif language is not None:
            lines.append(line)
    return found


def pattern(expected):
    """A regular expression for lines of expected output in which `...` stands for any text."""
    parts = []
    for line in expected:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*".join(re.escape(piece) for piece in line.rstrip().split("...")) + r"[ \t]*\n")
    return re.compile("".join(parts) + r"\s*\Z")


def run(command, folder):
    done = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT,
                          env=os.environ | {"PATH": f"{folder / 'build'}:{os.environ['PATH']}"})
    return done.returncode, done.stdout


def check_console(lines, start, folder):
    faults, commands = [], []
    for offset, line in enumerate(lines):
        if line.startswith("$ "):
            commands.append((start + offset, line[2:], []))
        elif commands and commands[-1][1].endswith("\\"):
            commands[-1] = (commands[-1][0], commands[-1][1][:-1] + line.strip(), [])
        elif commands:
            commands[-1][2].append(line)
        else:
            faults.append((start + offset, "output without a `$ COMMAND` before it"))
    for number, command, expected in commands:
        if SETUP.match(command):
            continue
        code, output = run(command, folder)
        wanted = int((re.search(r"# exits (\d+)$", command) or [0, 0])[1])
        if code != wanted:
            faults.append((number, f"`{command}` exits {code}:\n{output}"))
        elif not pattern(expected).match(output if output.endswith("\n") or not output else output + "\n"):
            faults.append((number, f"`{command}` prints\n{output}instead of\n" + "\n".join(expected)))
    return faults, len(commands)


def check_sh(lines, start, folder, dev_words):
    faults, commands = [], 0
    for number, line in enumerate(lines, start):
        command = line.split(" #")[0].strip()
        if not command or command.startswith("#"):
            continue
        commands += 1
        if match := re.match(r"\./dev\s+(\w+)", command):
            if match.group(1) not in dev_words:
                faults.append((number, f"./dev has no `{match.group(1)}`"))
        elif not SETUP.match(command):
            code, output = run(command, folder)
            if code != 0:
                faults.append((number, f"`{command}` exits {code}:\n{output}"))
    return faults, commands


def check_cpp(lines, start, examples):
    wanted = [line.strip() for line in lines if line.strip()]
    for text in examples:
        have = [line.strip() for line in text.splitlines() if line.strip()]
        if any(have[i:i + len(wanted)] == wanted for i in range(len(have) - len(wanted) + 1)):
            return []
    return [(start, "this C++ stands in no file of docs/examples, so nothing compiles it")]


def check(text, folder, dev_words, examples):
    faults, count = [], 0
    for language, start, lines in blocks(text):
        if language == "console":
            found, ran = check_console(lines, start, folder)
        elif language in ("sh", "bash", "shell"):
            found, ran = check_sh(lines, start, folder, dev_words)
        elif language in ("cpp", "c++"):
            found, ran = check_cpp(lines, start, examples), 1
        else:
            found, ran = [], 0
        faults += found
        count += ran
    return faults, count


def self_test(folder):
    for text, fails in [
        ("```console\n$ echo one; echo two\none\ntwo\n```", False),
        ("```console\n$ echo one; echo two\none\n```", True),
        ("```console\n$ echo one; echo two\n...\ntwo\n```", False),
        ("```console\n$ echo 17 ns\n... ns\n```", False),
        ("```console\n$ echo 17 ns\n... ms\n```", True),
        ("```console\n$ false\n```", True),
        ("```console\n$ false  # exits 1\n```", False),
        ("```console\n$ true  # exits 1\n```", True),
        ("```console\n$ echo a \\\n    b\na b\n```", False),
        ("```sh\ntrue  # fine\n./dev test\n```", False),
        ("```sh\nfalse\n```", True),
        ("```sh\n./dev fly\n```", True),
        ("```cpp\nint x;\n```", False),
        ("```cpp\nint y;\n```", True),
    ]:
        faults, _ = check(text, folder, {"test"}, ["int main() {\n  int x;\n}\n"])
        if bool(faults) != fails:
            sys.exit(f"self-test: {text!r}: {faults}")


def main():
    source, build, *files = [pathlib.Path(arg).resolve() for arg in sys.argv[1:]]
    dev_words = set(re.findall(r"^\s*([a-z]+)\)(?:\s|$)", (source / "dev").read_text(), re.MULTILINE))
    examples = [p.read_text() for p in sorted((source / "docs" / "examples").rglob("*.c*")) if p.is_file()]
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        self_test(folder)
        for entry in source.iterdir():
            if not entry.name.startswith((".", "build")):
                (folder / entry.name).symlink_to(entry)
        (folder / "build").symlink_to(build)
        for file in files:
            found, ran = check(file.read_text(), folder, dev_words, examples)
            faults += [f"{file.relative_to(source)}:{line}: {message}" for line, message in found]
            count += ran
    print("\n".join(faults + [f"{count} documented commands, {len(faults)} faults"]))
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
