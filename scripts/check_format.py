#!/usr/bin/env python3
"""Every C++ file is as clang-format 14 writes it; --fix makes it so."""
import os
import shutil
import subprocess
import sys

from source_files import CPP, arguments, report, source_files


def main():
    parser = arguments(__doc__)
    parser.add_argument("--fix", action="store_true", help="format the files instead of complaining")
    options = parser.parse_args()
    root = options.root.resolve()
    tool = shutil.which("clang-format-14") or shutil.which("clang-format")
    if tool is None:
        return report(["clang-format-14 is not installed; run scripts/bootstrap.sh"])
    files = [str(path) for path in source_files(root, CPP)]
    if not files:
        return report([f"{root}: no C++ file found to check"])
    mode = ["-i"] if options.fix else ["--dry-run", "-Werror", "--ferror-limit=1"]
    jobs = max(1, os.cpu_count() or 1)
    running = [subprocess.Popen([tool, "--style=file", *mode, *files[k::jobs]], cwd=root) for k in range(jobs) if files[k::jobs]]
    failed = any([process.wait() != 0 for process in running])
    return report(["not formatted; run: make format"] if failed else [])


if __name__ == "__main__":
    sys.exit(main())
