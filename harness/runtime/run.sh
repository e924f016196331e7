# Builds the tests of this folder, compares what was built with them, and runs them on the GPU.
#
# usage: run.sh [OPTIONS]
#   --arch sm_90      what to compile for
#   --budget SECONDS  for all tests (600)
#   --seed N          of configurations and orders (1)
#   --resume          goes on where a run ended: tests that are in the logs are not run again
#   --logs FOLDER     where logs go (logs)
#   --only TEST       may be given several times
#   --jobs N          compilers at once (as many as there are processors)
#   --build-only      builds and compares, and runs nothing
# Other options go to the programs: --launches N, --limit ROUNDS, --tries N, --hang SECONDS.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

budget=600 seed=1 logs=logs jobs=$(nproc 2> /dev/null || echo 4) builds_only=0
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --arch | --budget | --seed | --logs | --jobs | --only | --launches | --limit | --tries | --hang)
      [ $# -ge 2 ] || { echo "$1 needs an argument" >&2; exit 2; } ;;
  esac
  case $1 in
    --arch) arch=$2; shift ;;
    --budget) budget=$2; shift ;;
    --seed) seed=$2; shift ;;
    --logs) logs=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    --resume) options+=(--resume) ;;
    --build-only) builds_only=1 ;;
    --only | --launches | --limit | --tries | --hang) options+=("$1" "$2"); shift ;;
    *) echo "'$1' is not an option: the first lines of run.sh list them" >&2; exit 2 ;;
  esac
  shift
done
[[ $budget =~ ^[0-9]+$ && $budget -gt 0 ]] || { echo "--budget takes seconds, not '$budget'" >&2; exit 2; }

nvcc=${NVCC:-nvcc}
command -v "$nvcc" > /dev/null || { echo "nvcc is not in the PATH: NVCC=/path/to/nvcc names it" >&2; exit 2; }
mkdir -p build "$logs" || exit 2

# --- Build ---------------------------------------------------------------------------------------

# The version of PTX that this compiler writes: 90 for 9.0.
: > build/empty.cu
"$nvcc" -arch="$arch" -ptx build/empty.cu -o build/empty.ptx || exit 2
ptx=
while read -r word version _; do
  [ "$word" = .version ] && ptx=${version/./}
done < build/empty.ptx
export nvcc arch ptx

# Compiles $1.cu; the PTX stays beside the program.
compile() {
  local name=$1 number=${arch#sm_} kept=build/$1.files
  [ "build/$name" -nt "$name.cu" ] && [ "$(cat "build/$name.for" 2> /dev/null)" = "$arch $ptx $nvcc" ] && return 0
  rm -rf "$kept" "build/$name.for"
  mkdir -p "$kept" &&
    "$nvcc" -gencode "arch=compute_$number,code=[sm_$number,compute_$number]" -std=c++17 -O2 \
      -DPTXLITMUS_PTX="$ptx" -Werror all-warnings --keep --keep-dir "$kept" "$name.cu" -o "build/$name" &&
    mv "$kept/$name.ptx" "build/$name.ptx" && rm -rf "$kept" && echo "$arch $ptx $nvcc" > "build/$name.for"
}
export -f compile

names=()
for file in tests_*.cu; do
  names+=("${file%.cu}")
done
printf '%s\n' "${names[@]}" | xargs -P "$jobs" -I NAME bash -c 'compile NAME' ||
  { echo "not all tests compile" >&2; exit 2; }

# --- What was built ------------------------------------------------------------------------------

# Prints the opcodes that touch memory, order or wait in each thread of a file of PTX, as *.opcodes has
# them. The compiler leaves asm statements as they are, and marks their ends; a comment names each.
opcodes_of() {
  local line thread= words='' word
  while IFS= read -r line; do
    line=${line#"${line%%[![:space:]]*}"}
    case $line in
      '// litmus '*) thread=${line#// litmus } words='' ;;
      '// end inline asm')
        [ -n "$thread" ] && echo "$thread:$words"
        thread= ;;
      *)
        [ -n "$thread" ] || continue
        [[ $line == @* ]] && line=${line#* }
        word=${line%%[ ;]*}
        case $word in
          mbarrier.pending_count.*) ;; # computes
          ld.* | st.* | atom.* | red.* | fence.* | membar.* | barrier.* | mbarrier.* | cp.*) words+=" $word" ;;
        esac ;;
    esac
  done
}

differences=0
for name in "${names[@]}"; do
  # cuobjdump shows what is in the program itself; not every toolkit has it
  if command -v cuobjdump > /dev/null && cuobjdump -ptx "build/$name" > build/dump.ptx 2> /dev/null &&
    [ -s build/dump.ptx ]; then
    from=build/dump.ptx
  else
    from=build/$name.ptx
  fi
  opcodes_of < "$from" | sort > "build/$name.found"
  # tests that need a newer PTX are not in it, neither their threads nor their controls
  grep -Fxv -f "build/$name.found" "$name.opcodes" > build/missing
  sort "$name.opcodes" | grep -Fxv -f - "build/$name.found" > build/new
  while IFS= read -r line; do
    thread=${line%%:*}
    if grep -q -F "$thread:" "build/$name.found"; then
      echo "$name: $thread differs from the test: ${line#*:}" >&2
      differences=$((differences + 1))
    fi
  done < build/missing
  while IFS= read -r line; do
    echo "$name: what was compiled: $line" >&2
    differences=$((differences + 1))
  done < build/new
  if [ "$(uniq -d "build/$name.found")" ]; then
    echo "$name: a thread was compiled twice: $(uniq -d "build/$name.found")" >&2
    differences=$((differences + 1))
  fi
done
if [ "$differences" -gt 0 ]; then
  echo "$differences differences between the tests and what was compiled: nothing is run" >&2
  exit 2
fi
echo "${#names[@]} programs for $arch, PTX ${ptx%?}.${ptx#"${ptx%?}"}: as the tests have it"
[ $builds_only -eq 0 ] || exit 0

# --- Run -----------------------------------------------------------------------------------------

# A test that hangs or faults ends its program, which goes on with the next test.
begin=$SECONDS status=0
for i in "${!names[@]}"; do
  name=${names[i]}
  again=()
  before=
  while :; do
    left=$((budget - (SECONDS - begin)))
    share=$((left / (${#names[@]} - i)))
    [ "$share" -gt 0 ] || share=1
    "build/$name" --seed "$seed" --budget "$share" --log "$logs/$name.log" "${options[@]}" "${again[@]}"
    result=$?
    again=(--resume)
    case $result in
      0) break ;;
      2) exit 2 ;;
      *) [ $((budget - (SECONDS - begin))) -gt 0 ] || break ;;
    esac
    # each attempt gets further, or there is no use in another one
    now=$(wc -c < "$logs/$name.log" 2> /dev/null)
    [ "$now" != "$before" ] || break
    before=$now
  done
  [ "$result" -eq 0 ] || status=3
done
echo "the logs are in $logs: ptxlitmus observed $logs/*.log tests"
exit $status
