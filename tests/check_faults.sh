#!/usr/bin/env bash
# Kernels of tests/kernels/faults, each with one fault of another kind: `check FILE.cu` finds it at the lines that have
# it, finds a fix in the words of CUDA C++, and finds the kernel that is compiled with -DFIXED free. First what nvcc has
# made of them, which is stored, stands in for it; then nvcc compiles them, or it is said that there is none. Fixes need
# it: a text that is changed is compiled again.
# Blocks are small, so that none of these answers depends on a time limit.
#
# usage: check_faults.sh PROGRAM
set -u
export LC_ALL=C.UTF-8 PATH=$PATH:/usr/local/cuda/bin
program=$(realpath "${1:?usage: check_faults.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
checks=0
stored=$PWD/tests/kernels/faults/stored
cp tests/kernels/faults/*.cu "$work"
cd "$work" || exit 2

# A compiler that knows the kernels as they are: its arguments are ... -D(FAULT|FIXED) NAME.cu -o FILE.
cat >compiler <<EOF
#!/bin/sh
for word; do
    case \$word in
        -DFAULT|-DFIXED) flag=\${word#-D} ;;
        *.cu) name=\${word##*/} ;;
    esac
    out=\$word
done
[ -n "\${name-}" ] && cat "$stored/\${name%.cu}.\$flag.ptx" >"\$out"
EOF
chmod +x compiler

# check STATUS FILE OPTION... FLAG: what `check` of a kernel prints, in $work/out; it ends with this status.
check() {
    local wanted=$1 status
    shift
    checks=$((checks + 1))
    # shellcheck disable=SC2086
    "$program" check $how "${@:1:$#-1}" -- -arch=sm_90a "${@:$#}" >"$work/out" 2>&1 </dev/null
    status=$?
    [ "$status" -eq "$wanted" ] || fail "check $*: status $status, not $wanted: $(head -3 "$work/out")"
}

# says FILE WORDS...: the answer has the words.
says() {
    local file=$1 words
    shift
    for words in "$@"; do
        grep -qE -- "$words" "$work/out" || fail "$file does not say: $words: $(cat "$work/out")"
    done
}

# fault FILE OPTIONS WORDS... fix WORDS...: the answer has the words, those of a fix only where nvcc compiles; that of
# the mended kernel says that it is free.
fault() {
    local file=$1.cu options=$2 words=()
    shift 2
    while [ "$1" != fix ]; do
        words+=("$1")
        shift
    done
    # shellcheck disable=SC2086
    check 1 "$file" $options -DFAULT
    says "$file" "${words[@]}"
    if [ "$how" = '' ]; then
        says "$file" "${@:2}" '^ +confirmed.*: with (it|these), free of data races'
    fi
    [ "$(wc -l <"$work/out")" -lt 40 ] || fail "$file: $(wc -l <"$work/out") lines"
    # shellcheck disable=SC2086
    check 0 "$file" $options -DFIXED
    grep -qF 'free of data races, hangs and undefined uses' "$work/out" || fail "$file, mended: $(cat "$work/out")"
}

all_faults() {
    local async='one of them is done by an asynchronous operation, and nothing orders its completion and the other'
    fault flag '--block 1' 'data-race +flag.cu:7 +data\[0\] written' '^ +flag.cu:16 +data\[0\] read' \
        'the load at flag.cu:13 is not an acquire' fix \
        'fix +flag.cu:13: memory_order_acquire for memory_order_relaxed'
    fault scope '--block 1' 'data-race +scope.cu:13 +data\[0\] written' '^ +scope.cu:18 +data\[0\] read' \
        '.cta of the store at scope.cu:14 does not include thread 0 of block 1' fix \
        'fix +scope.cu:7: thread_scope_device for thread_scope_block'
    fault block_barrier '--grid 1 --block 4' 'data-race +block_barrier.cu:6 +bytes' '^ +block_barrier.cu:10 +bytes' \
        'no __syncwarp\(\) or barrier' fix 'fix +block_barrier.cu:10: __syncthreads\(\); before it' \
        'by running all 4 threads'
    fault warp_barrier '--grid 1' 'data-race +warp_barrier.cu:8 +bytes' '^ +warp_barrier.cu:8 +bytes' fix \
        'fix +warp_barrier.cu:8: __syncthreads\(\); before it'
    fault copy_groups '--grid 1 --block 2' 'data-race +copy_groups.cu:15 +bytes 256' \
        '^ +copy_groups.cu:21 +bytes 256' "$async" fix \
        'fix +copy_groups.cu:20: __pipeline_wait_prior\(0\) for __pipeline_wait_prior\(UNDER_WAY\)'
    fault arrivals '--grid 1 --block 4' 'mbarrier-misuse: an mbarrier is used in a way that PTX does not define' \
        'hang +thread .*: goes round a loop for ever \(arrivals.cu:21\): reads full = phase' fix \
        'fix +arrivals.cu:16: mbarrier_init\(&full, blockDim.x\) for mbarrier_init\(&full, EXPECTED\)'
    fault parity '--grid 1 --block 2' 'data-race +parity.cu:22 +bytes 0 to 3 of tile written' \
        '^ +parity.cu:26 +bytes 0 to 3 of tile read' fix \
        'fix +parity.cu:24: mbarrier_try_wait_parity\(&full, \(PHASE\) \^ 1\) for mbarrier_try_wait_parity\(&full, PHASE\)'
    fault bulk_store '--grid 1 --block 2' 'data-race +bulk_store.cu:7 +bytes 0' '^ +bulk_store.cu:13 +bytes 0' \
        'it takes a proxy fence' fix \
        'fix +bulk_store.cu:8: cuda::ptx::fence_proxy_async\(cuda::ptx::space_shared\); before it'
    fault refill '--grid 1 --block 2 --arg n=2' \
        'data-race +refill.cu:[0-9]+ +bytes 0 to 3 of tile written by an asynchronous' \
        '^ +refill.cu:[0-9]+ +bytes 0 to 3 of tile read' fix \
        'fix +refill.cu:26: wait\(&empty, \(k & 1\) \^ 1\); before it' \
        '^ +refill.cu:31: cuda::ptx::fence_proxy_async\(cuda::ptx::space_shared\); before it'
    fault cluster_exit '--grid 2 --block 2' 'exited-cta +cluster_exit.cu:10 +mine read by thread 0' fix \
        'fix +cluster_exit.cu:11: cooperative_groups::this_cluster\(\).sync\(\); before it'
    fault dependent '' 'data-race +dependent.cu:10 +data\[0\] written' '^ +dependent.cu:18 +data\[0\] read' fix \
        'fix +dependent.cu:18: cudaGridDependencySynchronize\(\); before it'
    fault stale_map '' 'data-race +stale_map.cu:22 +map\[0\] written' \
        '^ +stale_map.cu:34 +map\[0\] read by an asynchronous' fix \
        'fix +stale_map.cu:23: cuda::ptx::fence_proxy_tensormap_generic\(cuda::ptx::sem_release' \
        '^ +stale_map.cu:33: cuda::ptx::fence_proxy_tensormap_generic\(cuda::ptx::sem_acquire'

    # One element has no other to wait for: what the launch is decides what is found.
    check 0 block_barrier.cu --arg n=1 --block 8 -DFAULT
}

# ptx_fix NAME OPTIONS WORDS...: of what nvcc has made of a kernel, `repair` finds a change of the PTX, which has the words.
ptx_fix() {
    local name=$1 options=$2
    shift 2
    checks=$((checks + 1))
    # shellcheck disable=SC2086
    "$program" repair --races --hangs $options "$stored/$name.FAULT.ptx" >"$work/out" 2>&1 </dev/null ||
        fail "repair $name.FAULT.ptx: status $?: $(head -3 "$work/out")"
    says "$name.FAULT.ptx" "$@"
}

how="--no-fix --compiler $work/compiler"
all_faults
ptx_fix arrivals '--grid 1 --block 4' "\(arrivals.cu:16\): 'mbarrier.init.shared.b64 \[%r2\], 4' for '.*' \(the block has 4 threads: %ntid.x, or blockDim.x in CUDA C\+\+\)$"
ptx_fix parity '--grid 1 --block 2' "\(parity.cu:24\): '.reg .b32 %value; xor.b32 %value, %r11, 1' before it"
ptx_fix refill '--grid 1 --block 2 --arg 2=2' "\(refill.cu:26\): '.*WAIT: mbarrier.try_wait.parity.*\[_ZZ.*empty\]" \
    "\(refill.cu:34\): 'fence.proxy.async.shared::cta' before it"
how=''
if command -v nvcc >/dev/null; then
    all_faults
else
    echo 'nvcc is missing: what is stored was checked, and no fix'
fi

printf '%d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
