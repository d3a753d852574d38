#!/usr/bin/env python3
"""No file of code over 700 lines: a file holds one idea."""
import sys

from source_files import CPP, arguments, report, source_files

LIMIT = 700


def check(root):
    problems = []
    files = source_files(root, CPP | {".py", ".sh", ".cmake"})
    for path in files:
        lines = len((root / path).read_text(encoding="utf-8").splitlines())
        if lines > LIMIT:
            problems.append(f"{path}: {lines} lines; split it by idea, {LIMIT} at most")
    return problems if files else [f"{root}: no file found to check"]


if __name__ == "__main__":
    sys.exit(report(check(arguments(__doc__).parse_args().root.resolve())))
