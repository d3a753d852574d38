#!/usr/bin/env python3
"""One line on the outcome of `tribo solve --json`:   demo_verdict.py FOLDER:RECORDS …

A problem ended well when it was solved and certified, or when there is no answer and the proof of that was verified. A
file that says which of the two is right (`expected`) must be agreed with.
"""
import json
import pathlib
import sys

TOLERANCE = 1e-8  # of the certificate


def outcome(record):
    """'solved', 'no answer' or why it is neither."""
    if record.get("error"):
        return record["error"]
    if record["status"] == "solved":
        worst = float(record["certificate"]["worst"])
        return "solved" if worst <= TOLERANCE else f"called solved with a residual of {worst}"
    if record.get("evidence", {}).get("verdict") == "infeasible":
        return "no answer"
    return f"ended as {record['status']}"


def expected(path):
    status = json.loads(path.read_text(encoding="utf-8")).get("expected", {}).get("status")
    return None if status is None else "solved" if status == "solved" else "no answer"


def main(arguments):
    count = {"solved": 0, "no answer": 0}
    failures, seconds = [], 0.0
    for argument in arguments:
        folder, _, records = argument.rpartition(":")
        for line in pathlib.Path(records).read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            got, wanted = outcome(record), expected(pathlib.Path(folder) / record["file"])
            if got not in count or wanted not in (None, got):
                failures.append(f"{record['file']}: {got}" + (f", expected: {wanted}" if wanted else ""))
                continue
            count[got] += 1
            seconds += record["seconds"]
    for failure in failures:
        print(failure)
    good = not failures and count["solved"] > 0
    print(f"{'OK' if good else 'FAILED'}: {sum(count.values()) + len(failures)} problems, {count['solved']} solved and certified, "
          f"{count['no answer']} proved to have no answer, {len(failures)} otherwise; {seconds * 1e3:.1f} ms in all")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
