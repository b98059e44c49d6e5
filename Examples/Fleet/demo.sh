#!/usr/bin/env bash
# A fleet on this machine: a PostgreSQL in a temporary directory, two machines that do not exist, this one, and two
# gateways. Ctrl-C ends all of it, and nothing stays.
# Usage: Examples/Fleet/demo.sh
set -euo pipefail
cd "$(dirname "$0")"
for package in libpq-dev:libpq libmicrohttpd-dev:libmicrohttpd zlib1g-dev:zlib; do
  pkg-config --exists "${package#*:}" ||
    { echo "missing; on Debian: apt-get install postgresql libpq-dev libmicrohttpd-dev zlib1g-dev pkg-config"; exit 1; }
done
swift build --product Fleet
exec python3 demo.py "$(swift build --show-bin-path)/Fleet"
