# What the checks share: each sources it, and is then in the root of the repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Packages beside the root are built in its folders, where the libraries are compiled already. Several packages share a folder, so
# no plan of a build is kept there.
shared=(--scratch-path "$PWD/.build" --disable-build-manifest-caching)

# How the one release build is made, in which the tests, LogWatch and the benchmarks are: in a folder of its own, so that
# debug builds need not wait for it.
release=(-c release -Xswiftc -enable-testing -Xswiftc -gnone --scratch-path .build/optimised)
benchmarks=("${release[@]}" --package-path Benchmarks --disable-build-manifest-caching)

# build OPTION…: builds and fails at a warning. SwiftPM prints the warnings of what it compiles; in a clean clone that is everything.
build() {
  local log
  log=$(mktemp)
  swift build "$@" 2>&1 | tee "$log"
  if grep -E 'warning:' "$log"; then return 1; fi
  rm -f "$log"
}

# watched COMMAND…: runs tests, and names those that hang at once where .ci/run is watched, and not only after the step has failed.
{ true >&3; } 2>/dev/null || exec 3>&2
watched() { .ci/watched "$@" 2>&3; }

# beside FOLDER: builds a package beside the root without warnings, and runs its tests; `programs` is then where its programs are.
beside() {
  local package=(--package-path "$1" "${shared[@]}")
  build "${package[@]}" --build-tests
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
  # Two lanes of .ci/run must not install at once.
  (flock 9; "${install[@]}" 2>/dev/null || { "${sudo[@]}" apt-get update -q && "${install[@]}"; }) 9>"${TMPDIR:-/tmp}/asyncknot-need.lock"
}
