#!/usr/bin/env bash
# Checks Fleet: first the log's protocol in a thousand interleavings, and then PostgreSQL, publishers, gateways and tabs, which
# are killed, suspended, disconnected, restored from copies and given invalid data.
# Usage: Examples/Fleet/check.sh [--long] [--pictures FOLDER] [--only TEST]. With --long, it kills publishers 200 times, edits
# lists 100,000 times, and explores 10,000 interleavings.
# Concerns: Examples/Fleet Examples/Web Examples/browser.py Sources/AsyncKnot Sources/AsyncDiff
source "$(dirname "$0")/../../.ci/common.bash"

if [[ $(uname) == Linux ]]; then
  need python3
  need pkg-config
  need libmicrohttpd-dev pkg-config --exists libmicrohttpd
  need libpq-dev pkg-config --exists libpq
  need zlib1g-dev pkg-config --exists zlib
  need postgresql compgen -G '/usr/lib/postgresql/*/bin/initdb'
  need postgresql-client command -v psql
  need openssl
  need chromium
  need chromium-driver command -v chromedriver
  need fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
fi

[[ " $* " == *' --long '* ]] && export EXPLORE_SEEDS=10000
beside Examples/Fleet
python3 Examples/Fleet/check.py "$programs/Fleet" "$@"
