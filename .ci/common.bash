# The checks source this file, which changes to the root of the repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Other packages are built in the build folders of the root package, where the libraries are already compiled. Because several
# packages share a folder, SwiftPM must not cache its build plan.
shared=(--scratch-path "$PWD/.build" --disable-build-manifest-caching)

# The options of the release build, which the tests, LogWatch and the benchmarks share. It has a separate folder, so that debug
# builds do not wait for it.
release=(-c release -Xswiftc -enable-testing -Xswiftc -gnone --scratch-path .build/optimized)

# build OPTION…: builds, and fails if there is a warning. SwiftPM prints warnings only for the files that it compiles in this
# build.
build() {
  local log
  log=$(mktemp)
  swift build "$@" 2>&1 | tee "$log"
  if grep -E 'warning:' "$log"; then return 1; fi
  rm -f "$log"
}

# watched COMMAND…: runs tests, and prints the names of hanging tests to the standard error of .ci/run instead of the log of the
# step.
{ true >&3; } 2>/dev/null || exec 3>&2
watched() { .ci/watched "$@" 2>&3; }

# beside FOLDER: builds another package without warnings, runs its tests, and sets `programs` to the folder of its programs.
beside() {
  local package=(--package-path "$1" "${shared[@]}")
  build "${package[@]}" --build-tests
  swift test "${package[@]}" --skip-build
  programs=$(swift build "${package[@]}" --show-bin-path)
}

# need PACKAGE [COMMAND…]: installs a Debian package if COMMAND fails. Without COMMAND, it installs the package if there is no
# command with the package's name.
need() {
  local package=$1
  shift
  if (($#)); then "$@" >/dev/null 2>&1 && return; else command -v "$package" >/dev/null && return; fi
  [[ $(uname) == Linux ]] || { echo "$package is missing; install it"; return 1; }
  local sudo=()
  [[ $(id -u) == 0 ]] || sudo=(sudo -n)
  local install=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$package")
  # Two lanes of .ci/run must not install packages at the same time.
  (flock 9; "${install[@]}" 2>/dev/null || { "${sudo[@]}" apt-get update -q && "${install[@]}"; }) 9>"${TMPDIR:-/tmp}/asyncknot-need.lock"
}
