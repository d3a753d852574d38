#!/usr/bin/env bash
# Installs the Debian packages that are missing, and nothing when none is. Asks no questions.
#   scripts/bootstrap.sh          what the library, the tool and the tests need
#   scripts/bootstrap.sh bench    and the peers that the benchmarks compare with; MuJoCo's WASM build from npm, into build/mujoco
#   scripts/bootstrap.sh docs     what the documentation site needs, and nothing else
set -euo pipefail

mode=${1:-}
packages=(
  g++ cmake ninja-build
  libeigen3-dev nlohmann-json3-dev libcli11-dev libfmt-dev libhdf5-dev zlib1g-dev
  libpugixml-dev libqhull-dev libtbb-dev libmujoco-dev
  nodejs npm chromium
  libgtest-dev clang-14 libclang-rt-14-dev clang-format-14 python3
)
if [ "$mode" = bench ]; then packages+=(libsiconos-numerics-dev libode-dev libbullet-dev libdart-dev libmujoco-dev libsundials-dev); fi
if [ "$mode" = docs ]; then packages=(mkdocs python3); fi

stop() {
  echo "bootstrap: $1" >&2
  exit 1
}

# The version of bench/robots/package-lock.json, with its checksum. Without npm or network `bench robots` measures without it.
install_mujoco() {
  [ "$mode" = bench ] || return 0
  local here folder
  here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  folder=$here/build/mujoco
  if [ -f "$folder/node_modules/@mujoco/mujoco/mujoco.wasm" ] && cmp -s "$here/bench/robots/package-lock.json" "$folder/package-lock.json"; then
    return 0
  fi
  if ! command -v npm >/dev/null; then
    echo "bootstrap: npm is missing, so bench robots will measure without MuJoCo's WASM build" >&2
    return 0
  fi
  echo "bootstrap: installing @mujoco/mujoco into $folder"
  mkdir -p "$folder"
  cp "$here/bench/robots/package.json" "$here/bench/robots/package-lock.json" "$folder/"
  if ! npm ci --prefix "$folder" --no-audit --no-fund --ignore-scripts --loglevel=error; then
    rm -f "$folder/package-lock.json"
    echo "bootstrap: @mujoco/mujoco could not be installed; bench robots will measure without it" >&2
  fi
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "bootstrap: no Debian packages here; going on with what is installed (see scripts/bootstrap.sh for the list)" >&2
  install_mujoco
  exit 0
fi

# Node and npm also come in packages of others (NodeSource's nodejs contains npm and refuses Debian's), so the command counts.
is_there() {
  case "$1" in
    nodejs) command -v node >/dev/null && return ;;
    npm | chromium) command -v "$1" >/dev/null && return ;;
  esac
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}

missing=()
for package in "${packages[@]}"; do
  is_there "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  install_mujoco
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  sudo -n true 2>/dev/null || stop "not root, and sudo would ask; as root: apt-get install --no-install-recommends ${missing[*]}"
  as_root=(sudo -n)
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@"
}

echo "bootstrap: installing ${missing[*]}"
apt update || stop "the package lists could not be read; is there a network and a Debian mirror?"
apt install --no-install-recommends "${missing[@]}" || stop "installation failed; Debian 12 has all of: ${missing[*]}"
install_mujoco
