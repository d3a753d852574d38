#!/usr/bin/env bash
# Builds viewer/dist/replay.html, the page that plays recordings, with the packages of viewer/package-lock.json. Does nothing when
# it is newer than what it is made of.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../viewer"
page=dist/replay.html

if [ -f "$page" ] && [ -d node_modules ] && [ -z "$(find src package.json package-lock.json build.mjs -newer "$page" -print -quit)" ]; then
  exit 0
fi
if ! command -v npm >/dev/null; then
  echo "viewer: npm is missing, and so will be the replay page (Debian: nodejs, npm)" >&2
  exit 0
fi
echo "viewer: installing packages and bundling the page"
npm ci --no-audit --no-fund --loglevel=error
npm run --silent build
