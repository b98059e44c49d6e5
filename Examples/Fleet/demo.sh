#!/usr/bin/env bash
# Runs Fleet on this machine: PostgreSQL in a temporary directory, publishers for two simulated machines and this machine, and two
# gateways. Ctrl-C stops everything and deletes the directory.
# Usage: Examples/Fleet/demo.sh
set -euo pipefail
cd "$(dirname "$0")"
for package in libpq-dev:libpq libmicrohttpd-dev:libmicrohttpd zlib1g-dev:zlib; do
  pkg-config --exists "${package#*:}" ||
    { echo "a library is missing; on Debian, run: apt-get install postgresql libpq-dev libmicrohttpd-dev zlib1g-dev pkg-config"; exit 1; }
done
swift build --product Fleet
exec python3 demo.py "$(swift build --show-bin-path)/Fleet"
