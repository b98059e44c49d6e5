#!/usr/bin/env bash
# The Swift samples of the documents are compiled by the tests.
set -euo pipefail
python3 "$(dirname "$0")/samples.py"
