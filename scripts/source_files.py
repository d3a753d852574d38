"""The files of the tree that belong to the project: what the check_*.py scripts look at."""
import argparse
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
CPP = {".cpp", ".hpp"}


def source_files(root, suffixes):
    """Relative paths, sorted. What git ignores is left out; without git, build/ and hidden folders are."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "."],
        capture_output=True, check=False) if (root / ".git").exists() and has_git() else None
    if listed is not None and listed.returncode == 0:
        paths = {pathlib.Path(name) for name in listed.stdout.decode().split("\0") if name}
    else:
        paths = {path.relative_to(root) for path in root.rglob("*")}
        paths = {path for path in paths if path.parts[0] != "build" and not any(p.startswith(".") for p in path.parts)}
    return sorted(path for path in paths if path.suffix in suffixes and (root / path).is_file())


def has_git():
    try:
        return subprocess.run(["git", "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def arguments(description):
    """A parser with the one argument that every check has: the folder to look at."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="folder of the project")
    return parser


def report(problems):
    """Prints them; the exit status of a check."""
    for problem in problems:
        print(problem)
    return 1 if problems else 0
