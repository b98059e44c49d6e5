# What the checks share: each sources it, and is then in the root of the repository.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# How the one release build is made, in which the tests and LogWatch are.
release=(-c release -Xswiftc -enable-testing -Xswiftc -gnone)

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
