#!/usr/bin/env python3
"""Arrows between the folders go one way (docs/index.md has the picture). Reads every #include and refuses the others.

core <- linalg <- problem <- {formulation, solve, certify} <- contact; linalg <- geometry <- collision;
{geometry, problem} <- multibody; {contact, multibody, collision} <- sim <- io. A folder sees the public headers of those
below it and its own private ones. cli and bench see all public headers and no private one.
"""
import re
import sys

from source_files import CPP, arguments, report, source_files

BELOW = {"core": set(), "linalg": {"core"}, "problem": {"core", "linalg"}}
for layer in ("formulation", "solve", "certify"):
    BELOW[layer] = BELOW["problem"] | {"problem"}
BELOW["geometry"] = {"core", "linalg"}
BELOW["multibody"] = BELOW["problem"] | {"problem", "geometry"}
BELOW["contact"] = BELOW["formulation"] | {"formulation", "solve", "certify"}
BELOW["collision"] = BELOW["geometry"] | {"geometry"}
BELOW["sim"] = BELOW["contact"] | BELOW["multibody"] | BELOW["collision"] | {"contact", "multibody", "collision"}
BELOW["io"] = BELOW["multibody"] | {"multibody", "collision", "sim"}
EDGES = {"cli": {"cli", "bench", "studies"}, "bench": {"bench", "studies"}, "studies": {"studies"}, "examples": set()}  # folders whose own headers they may include

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def refusal_in_layer(root, path, layer, public, bracket, name):
    """Why a file of a library layer may not include `name`; None when it may."""
    if name.startswith("tribo/"):
        target = name.split("/")[1]
        if target == layer or target in BELOW[layer]:
            return None
        return f"{layer} may not include {target}"
    if bracket == '"':
        if public:
            return "a public header may include only public headers, as \"tribo/<layer>/<file>\""
        target = name.split("/")[0]
        if ".." in name.split("/") or target != layer or not (root / "src" / name).is_file():
            return f"private headers of {layer} only, as \"{layer}/<file>\""
        return None
    if re.fullmatch(r"[a-z_0-9]+", name):
        return None  # the standard library
    if name.startswith("Eigen/"):
        return "core does without Eigen" if layer == "core" else None
    if name.startswith("libqhull_r/"):
        return None if layer == "geometry" and not public else "only geometry knows qhull"
    if name.startswith("tbb/"):
        return None if layer == "sim" and not public else "only sim has threads"
    if name == "cpuid.h":
        return None if layer == "core" and not public else "only core asks the processor what it has"
    return None if layer == "io" else "the library uses Eigen and the standard library; only io uses more"


def refusal_in_edge(root, path, folder, bracket, name):
    """The same for cli, bench and examples."""
    if name.startswith("tribo/"):
        return None if name.split("/")[1] in BELOW else "there is no such folder of public headers"
    if bracket == "<":
        return None
    if (root / path).parent.joinpath(name).is_file() and ".." not in name.split("/"):
        return None
    if name.split("/")[0] in EDGES[folder] and (root / name).is_file():
        return None
    if (root / "src" / name).is_file() or "src" in name.split("/"):
        return "src/ is private to the library"
    if any((root / other / name).is_file() for other in EDGES[folder] | {folder}):
        return None
    return "no such header in this folder"


def check(root):
    problems, seen = [], 0
    for path in source_files(root, CPP):
        parts = path.parts
        public = parts[:2] == ("include", "tribo")
        layer = parts[2] if public else parts[1] if parts[0] == "src" else None
        if layer is None and parts[0] not in EDGES:
            continue
        seen += 1
        if layer is not None and layer not in BELOW:
            problems.append(f"{path}: the folder {layer} has no place in scripts/check_includes.py; give it one")
            continue
        for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
            found = INCLUDE.match(line)
            if not found:
                continue
            if layer is None:
                refusal = refusal_in_edge(root, path, parts[0], *found.groups())
            else:
                refusal = refusal_in_layer(root, path, layer, public, *found.groups())
            if refusal:
                problems.append(f"{path}:{number}: {found.group(2)}: {refusal}")
    if seen == 0:
        problems.append(f"{root}: no C++ file found to check")
    return problems


if __name__ == "__main__":
    sys.exit(report(check(arguments(__doc__).parse_args().root.resolve())))
