#!/bin/bash
# All tests for a GPU in one call: the library, the bugs in it, and the cycles of two and three threads with up to six
# edges, relaxed and with the fences and orders of PTX.
#
# usage: gpu.sh make PROGRAM FOLDER [ARCH]           writes the sources (no GPU, no nvcc)
#        gpu.sh run FOLDER SECONDS [OUT [OPTION...]] builds and runs them, logs to OUT (FOLDER/logs)
#        gpu.sh judge PROGRAM FOLDER LOG...          compares them with the model, and with one that is too strong
#        gpu.sh table LOG...                         how often each condition held, per million, and on what
set -u
export LC_ALL=C.UTF-8

# Cycles, each with what it is made of in its name. $1: the name, $2: the most; then options of generate.
add_cycles() {
  local name=$1 most=$2
  shift 2
  "$program" generate "$@" --most "$most" -o "$cycles/$name" || echo "gpu.sh: not all cycles of $name" >&2
  sed -i "1s/^PTX /PTX $name-/" "$cycles/$name"/*.litmus
}

make_folder() {
  program=$1 cycles=$(mktemp -d) || exit 2
  trap 'rm -rf "$cycles"' EXIT
  # relaxed shapes, whose rates say how much power a run has; orders; fences
  add_cycles relaxed 400 --edges 'Rfe Fre Coe Pod**' --size 6 --placement cta,gpu
  add_cycles weak 400 --edges 'Rfe Fre Coe Pod**' --size 6 --access weak
  add_cycles ordered 400 --edges 'Rfe Fre Coe Pod**' --size 4 --access relaxed.gpu,acquire.gpu,release.gpu
  add_cycles fences 1500 --edges 'Rfe Fre Coe Pod** Fence.sc.gpu Fence.acq_rel.gpu' --size 6
  "$program" harness litmus/library "$cycles" -o "$2" --arch "${3:-sm_90a}" --force
}

case ${1:-} in
  make)
    program=$(realpath "${2:?the program}") folder=$(realpath -m "${3:?a folder}")
    cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
    make_folder "$program" "$folder" "${@:4:1}" ;;
  run) "${2:?a folder}/run.sh" --budget "${3:?seconds}" --logs "$(realpath -m "${4:-$2/logs}")" "${@:5}" ;;
  judge)
    program=${2:?the program} folder=${3:?a folder}
    shift 3
    "$program" observed "$@" "$folder/tests"
    status=$?
    # what was seen has to be too much for a model that is too strong
    "$program" observed --target sc "$@" "$folder/tests" | tail -1 | sed 's/^/sequentially consistent: /'
    exit $status ;;
  table)
    shift
    perl -ne '
      BEGIN { print "| test | held | of | per million | control | seconds | seed | GPU |\n|---|---|---|---|---|---|---|---|\n" }
      $held{$1} = $2 if /^Observation (\S+) \S+ (\d+)/;
      if (/^Effort (\S+) (.*)/) {
        my ($test, %of) = ($1, map { split /=/, $_, 2 } split " ", $2);
        printf "| %s | %d | %d | %.3g | %d | %s | %s | %s, driver %s, CUDA %s |\n", $test, $held{$test}, $of{instances},
          $of{instances} ? 1e6 * $held{$test} / $of{instances} : 0, $of{control}, $of{seconds}, $of{seed}, $of{gpu},
          $of{driver}, $of{runtime};
      }' "$@" ;;
  *) sed -n '2,9s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
