#!/usr/bin/env bash
# A GPU as a judge of whole launches: random kernels of two warps (random.pl) are checked by running them here, and run on
# a GPU, by themselves and under the race checker of NVIDIA's compute-sanitizer, which knows shared memory alone.
#
# usage: gpu.sh make PROGRAM FOLDER [COUNT [SEED]]  kernels and what ptxlitmus says of them (no GPU)
#        gpu.sh run FOLDER [JOBS]                   runs them; needs nvcc and compute-sanitizer
#        gpu.sh judge FOLDER                        what is said twice, in a table; status 1 where one is wrong
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 2

# What a run says of a kernel, in one word.
verdict_of() {
  local said
  said=$("$1" check --method run --no-fix "$2" 2>&1)
  case $said in
    *'undecided: one run'*) echo undecided ;;
    *': free of'*) echo free ;;
    *$'\n  hang '*) echo hang ;;
    *data-race*) echo race ;;
    *) echo error ;;
  esac
}

case ${1:-} in
  make)
    program=$(realpath "${2:?the program}") folder=${3:?a folder}
    perl "$here/random.pl" make "$folder" "${4:-200}" "${5:-1}" || exit 2
    for kernel in "$folder"/*.ptx; do
      echo "$(basename "$kernel" .ptx) $(verdict_of "$program" "$kernel")"
    done > "$folder/said"
    cp "$here/gpu_run.cu" "$here/gpu.sh" "$folder/"
    cut -d ' ' -f 2 "$folder/said" | sort | uniq -c ;;
  run)
    cd "${2:?a folder}" || exit 2
    nvcc -O1 -std=c++17 -o gpu_run gpu_run.cu -lcuda || exit 2
    one() {
      local ends races='-'
      ends=$(./gpu_run "$1.ptx" 64 5 2>&1 | head -n 1)
      if [[ $ends == ends* ]]; then
        timeout 60 compute-sanitizer --tool racecheck --racecheck-report all --error-exitcode 9 ./gpu_run "$1.ptx" 64 40 > "$1.sanitizer" 2>&1
        case $? in 0) races=none ;; 9) races=some ;; *) races=failed ;; esac
      fi
      echo "$1 ${ends%% *} $races"
    }
    export -f one
    for kernel in *.ptx; do echo "${kernel%.ptx}"; done | xargs -P "${3:-8}" -I NAME bash -c 'one NAME' > seen ;;
  judge)
    cd "${2:?a folder}" || exit 2
    join said <(sort seen) | awk '
      { count[$2 " " $3 " " $4]++; of[$2 " " $3 " " $4] = of[$2 " " $3 " " $4] " " $1 }
      $2 == "free" && ($3 != "ends" || $4 == "some") { wrong = 1 }
      END { for (k in count) printf "%-28s %4d %s\n", k, count[k], count[k] < 12 ? of[k] : ""; exit wrong }' ;;
  *) sed -n '2,9s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
