#!/usr/bin/env bash
# The language server, driven by a client (lsp.py). Skipped (77) where there is no Python.
#
# usage: lsp.sh PROGRAM
set -u
program=$(realpath "${1:?usage: lsp.sh PROGRAM}") || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
command -v python3 >/dev/null || { echo 'no python3, which the client is written in: skipped'; exit 77; }
PYTHONDONTWRITEBYTECODE=1 exec python3 -W error::ResourceWarning tests/lsp/lsp.py "$program"
