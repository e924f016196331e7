#!/usr/bin/env bash
# Rewrites the expectations of all cases; ./dev promote calls it.
#
# usage: promote.sh PROGRAM
exec "$(dirname "${BASH_SOURCE[0]}")/run.sh" --promote "$@"
