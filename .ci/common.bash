# What the checks share: each sources it, and is then in the root of the repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# How the one release build is made, in which the tests, LogWatch and the benchmarks are: in a folder of its own, so that
# debug builds need not wait for it. Packages beside the root are built there with its options, so that the libraries are
# compiled once.
release=(-c release -Xswiftc -enable-testing -Xswiftc -gnone --scratch-path .build/optimised)
# Several packages share a build folder, so no plan is kept there.
benchmarks=("${release[@]}" --package-path Benchmarks --disable-build-manifest-caching)

# beside FOLDER: builds a package beside the root in the root's build folder, where the libraries are already, without
# warnings, and runs its tests; `programs` is then where its programs are. Several packages share that folder, so no
# plan of a build is kept there.
beside() {
  local package=(--package-path "$1" --scratch-path .build --disable-build-manifest-caching) log
  log=$(mktemp)
  swift build "${package[@]}" --build-tests 2>&1 | tee "$log"
  if grep -E 'warning:' "$log"; then exit 1; fi
  rm -f "$log"
  swift test "${package[@]}" --skip-build
  programs=$(swift build "${package[@]}" --show-bin-path)
}

# need PACKAGE [COMMAND…]: installs a Debian package where a command does not succeed; without one, where there is
# no command of that name.
need() {
  local package=$1
  shift
  if (($#)); then "$@" >/dev/null 2>&1 && return; else command -v "$package" >/dev/null && return; fi
  [[ $(uname) == Linux ]] || { echo "$package is missing"; return 1; }
  local sudo=()
  [[ $(id -u) == 0 ]] || sudo=(sudo -n)
  local install=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$package")
  "${install[@]}" 2>/dev/null || { "${sudo[@]}" apt-get update -q && "${install[@]}"; }
}
