#!/usr/bin/env python3
"""A block of code in *.md that says which file it shows is that file, character by character.

The line before the block is   <!-- file: examples/block_on_slope.cpp -->
"""
import re
import sys

from source_files import arguments, report, source_files

SNIPPET = re.compile(r"^<!-- file: (\S+) -->\n```[a-z+]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"^<!-- file:", re.MULTILINE)
MUST_SHOW = "examples/block_on_slope.cpp"  # in README.md


def check(root):
    problems = [] if (root / "README.md").is_file() else ["README.md: no such file"]
    for path in source_files(root, {".md"}):
        text = (root / path).read_text(encoding="utf-8")
        found = SNIPPET.findall(text)
        if len(found) != len(MARKER.findall(text)):
            problems.append(f"{path}: a <!-- file: --> line without a block of code after it")
        for name, code in found:
            source = root / name
            if not source.is_file():
                problems.append(f"{path}: {name}: no such file")
            elif source.read_text(encoding="utf-8") != code:
                problems.append(f"{path}: the block differs from {name}; copy the file into it")
        if str(path) == "README.md" and MUST_SHOW not in [name for name, _ in found]:
            problems.append(f"{path}: does not show {MUST_SHOW}")
    return problems


if __name__ == "__main__":
    sys.exit(report(check(arguments(__doc__).parse_args().root.resolve())))
