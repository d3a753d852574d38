#!/usr/bin/env python3
"""The table in docs/solvers.md is what `tribo list solvers --markdown` prints; --fix writes it there."""
import subprocess
import sys

from source_files import arguments, report

BEGIN, END = "<!-- solver table: begin -->\n", "<!-- solver table: end -->\n"


def main():
    parser = arguments(__doc__)
    parser.add_argument("tool", help="the binary, build/release/bin/tribo")
    parser.add_argument("--fix", action="store_true", help="write the table instead of complaining")
    options = parser.parse_args()
    table = subprocess.run([options.tool, "list", "solvers", "--markdown"], capture_output=True, check=True, text=True).stdout
    path = options.root / "docs" / "solvers.md"
    text = path.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        return report([f"{path}: the two lines around the table are missing: {BEGIN.strip()} and {END.strip()}"])
    before, rest = text.split(BEGIN)
    shown, after = rest.split(END)
    if shown == table:
        return 0
    if options.fix:
        path.write_text(before + BEGIN + table + END + after, encoding="utf-8")
        return 0
    return report([f"{path}: the table is not that of the binary; run: scripts/check_solver_table.py --fix {options.tool}"])


if __name__ == "__main__":
    sys.exit(main())
