#!/usr/bin/env bash
# Solves the problems of data/reference and some generated ones, and says whether every one ended as it should.
#   scripts/demo.sh BUILD_FOLDER
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "${1:-$top/build/release}" && pwd)
tribo=$build/bin/tribo
generated=$build/demo

rm -rf "$generated"
"$build/examples/generate_problems" "$generated"

# Exit status 1 says that some problem has no certified answer. Some have none by construction: the verdict tells.
solve() {
  echo
  echo "$1"
  cd "$2"
  "$tribo" solve *.json || [ $? -eq 1 ]
  "$tribo" solve *.json --json >"$build/demo_$3.jsonl" || [ $? -eq 1 ]
}

solve "Reference problems (data/reference):" "$top/data/reference" reference
solve "Generated problems:" "$generated" generated

echo
cd "$build"
exec "$top/scripts/demo_verdict.py" "$top/data/reference:demo_reference.jsonl" "$generated:demo_generated.jsonl"
