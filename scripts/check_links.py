#!/usr/bin/env python3
"""Relative links in *.md lead to files that exist, and #fragments to headings that exist.

Paths of the tree written as `code` (`src/solve/registry.cpp`) are checked too.
"""
import re
import sys

from source_files import arguments, report, source_files

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE_PATH = re.compile(r"`((?:include|src|cli|bench|tests|scripts|cmake|examples|docs|data)/[A-Za-z0-9_./-]*)`")
FENCE = re.compile(r"^(```|~~~)")


def lines_outside_code(text):
    """Lines with their numbers, without fenced blocks."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(text):
    """The names that headings get: lower case, punctuation dropped, spaces to hyphens."""
    names = set()
    for _, line in lines_outside_code(text):
        if line.startswith("#"):
            title = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            names.add(title.replace(" ", "-"))
    return names


def check(root):
    problems = []
    files = source_files(root, {".md"})
    for path in files:
        text = (root / path).read_text(encoding="utf-8")
        for number, line in lines_outside_code(text):
            for link in LINK.findall(line):
                if re.match(r"[a-z]+:", link):
                    continue
                name, _, fragment = link.partition("#")
                target = (root / path).parent / name if name else root / path
                if not target.exists():
                    problems.append(f"{path}:{number}: {link}: no such file")
                elif fragment and target.suffix == ".md" and fragment not in anchors(target.read_text(encoding="utf-8")):
                    problems.append(f"{path}:{number}: {link}: no such heading")
            for name in CODE_PATH.findall(line):
                if not (root / name).exists():
                    problems.append(f"{path}:{number}: {name}: no such path")
    return problems if files else [f"{root}: no .md file found to check"]


if __name__ == "__main__":
    sys.exit(report(check(arguments(__doc__).parse_args().root.resolve())))
