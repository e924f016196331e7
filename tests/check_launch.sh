#!/usr/bin/env bash
# `check` of a kernel that no manifest launches: options and what is derived make the launch, which the answer names;
# --save keeps it. A .cu file is compiled first; where nvcc is missing, what needs it is skipped, which is said.
#
# usage: check_launch.sh PROGRAM
set -u
export LC_ALL=C.UTF-8
program=$(realpath "${1:?usage: check_launch.sh PROGRAM}") || exit 2
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
checks=0

# expect STATUS WORDS ARGUMENT...: `check`, or $command, ends with this status and prints these words somewhere. What was just
# run is not run again, unless a file has changed since or it saves one. Times of files are coarse: what was changed in the
# second before counts, too. Under sanitizers every other one of the commands that leave nothing is run.
status= ran= asked= left_out=
expect() {
    local wanted=$1 words=$2 now
    shift 2
    checks=$((checks + 1))
    now="${command:-check} $PATH $*"
    if [ -n "${PTXLITMUS_SLOW:-}" ] && [[ $now != *--save* && $now != *--compiler* ]]; then
        [ "$now" = "$asked" ] || { [ -n "$left_out" ] && left_out= || left_out=yes; }
        asked=$now
        [ -z "$left_out" ] || { checks=$((checks - 1)); return; }
    fi
    if [ "$now" != "$ran" ] || [[ $now = *--save* ]] || [ -n "$(find "$work" -type f -newer "$work/stamp" ! -name out ! -name stamp -print -quit)" ]; then
        # shellcheck disable=SC2086
        "$program" ${command:-check} "$@" >"$work/out" 2>&1 </dev/null
        status=$? ran=$now
        touch -d '1 second ago' "$work/stamp"
    fi
    [ "$status" -eq "$wanted" ] || fail "check $*: status $status, not $wanted: $(head -3 "$work/out")"
    grep -qF -- "$words" "$work/out" || fail "check $*: does not say: $words: $(head -5 "$work/out")"
}

cp tests/kernels/check/* tests/kernels/faults/flag.cu "$work"
module=$work/reverse.ptx

# --- A module
shape='grid 2, block 8 (all threads), arg 0 = 4096 bytes, zero at first, arg 1 = 3'
expect 0 "ran with $shape; assumed: grid, block, arg 0, arg 1" "$module" reverse_late
expect 0 "undefined uses, when launched with $shape; assumed: grid, block, arg 0, arg 1" "$module" reverse_late
expect 1 "data-race  line 51  bytes 8 to 11 of tile written by thread 2 of block 0  | st.shared.u32 [%r6], %r8" "$module" reverse_early
expect 1 "and 3 more pairs of accesses there" "$module" reverse_early
expect 1 "nothing orders them: they are in one warp" "$module" reverse_early
expect 1 "data-race  line 51" "$module" --kernel reverse_early
expect 0 "ran with grid 1, block 4 (threads 0,2), " "$module" reverse_early --grid 1 --block 4 --threads 0,2 --arg n=1
expect 0 "arg 1 = 1; assumed: grid, block, arg 0" "$module" reverse_early --arg n=1
expect 0 "arg 1 = 1; assumed: grid, block, arg 0" "$module" reverse_early --arg 1=1
expect 1 "arg 1 = 2; assumed: grid, block, arg 0" "$module" reverse_early --arg 1=1 --arg n=2
expect 1 '"launch":"grid 2, block 8 (all threads)' "$module" reverse_early --format json

# --- Functions around inline assembly: the line is the one that calls them; of a Python package, too
expect 1 "line 37 (helper.cu:14)  k0_arg0[0] written by thread 0 of block 0  | " "$work/helper.ptx" --grid 1
expect 1 "line 48 (helper.cu:16)  k0_arg0[0] read by thread 32 of block 0    | " "$work/helper.ptx" --grid 1
sed 's|"helper.cu"|"helper.py"|' "$work/helper.ptx" >"$work/python.ptx"
expect 1 "line 37 (helper.py:3) " "$work/python.ptx" --grid 1
sed 's|/site-packages/triton/|/site-packages/warp/|' tests/cases/inputs/kernels/python.ptx >"$work/python.ptx"
expect 1 "line 26 (sum.py:11)  bytes 4 to 7 of global_smem read" "$work/python.ptx"
# Triton's inline assembly, in which LLVM counts lines on: the line is the one that has it.
perl -pe 's|^(\s+)(st\.shared\.b32.*)|$1// begin inline asm\n$1.loc 1 10 20\n$1mov.u32 %r5, 0;\n$1.loc 1 11 20\n$1$2\n$1// end inline asm|' \
  tests/cases/inputs/kernels/python.ptx >"$work/assembly.ptx"
expect 1 "line 26 (sum.py:10)  bytes 4 to 7 of global_smem written" "$work/assembly.ptx"

# --- Exchanges leave out lanes that have ended, as a search says, too; which lanes are active decides nothing here
lanes() {
    printf '.version 8.6\n.target sm_90\n.address_size 64\n// PTXLITMUS global out[8]\n// PTXLITMUS kernel k grid 1 block 4\n'
    printf '// PTXLITMUS arg 0 = &out\n.visible .entry k(.param .u64 out)\n{\n  .reg .b32 %%t, %%v, %%m, %%a; .reg .b64 %%out, %%o; .reg .pred %%p;\n'
    printf '  mov.u32 %%t, %%tid.x;\n  ld.param.u64 %%out, [out];\n  activemask.b32 %%a;\n  setp.eq.u32 %%p, %%t, 2;\n  @%%p ret;\n'
    printf '  setp.lt.u32 %%p, %%t, 3;\n  vote.sync.ballot.b32 %%m, %%p, 0xffffffff;\n  shfl.sync.idx.b32 %%v, %%t, 1, 31, 0xffffffff;\n'
    printf '  add.u32 %%m, %%m, %%v;\n  mul.wide.u32 %%o, %%m, 4;\n  add.u64 %%out, %%out, %%o;\n  setp.ne.u32 %%p, %%t, %d;\n  @%%p ret;\n' "$1"
    printf '  st.global.u32 [%%out], %%%s;\n  ret;\n}\n' "$2"
}
lanes 0 m >"$work/lanes.ptx"
expect 0 "found by running all 4 threads once" "$work/lanes.ptx"
expect 0 "free of data races" "$work/lanes.ptx" --method both
lanes 2 m >"$work/lanes.ptx"
expect 0 "found by running all 4 threads once" "$work/lanes.ptx" --method run
lanes 0 a >"$work/lanes.ptx"
expect 0 "found by running all 4 threads once" "$work/lanes.ptx"

# --- Stores at an index that a counter gives, of which each may be to a thousand places: a launch that is too large for that
# is given up in the time of a trial, and a smaller one is taken; and a fault that a run of the launch has met is the answer,
# though the time ends while smaller launches are searched
counted() {
    printf '.version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 count, .param .u64 out)\n{\n'
    printf '  .reg .b32 %%i, %%t; .reg .b64 %%count, %%out, %%o;\n  ld.param.u64 %%count, [count];\n  ld.param.u64 %%out, [out];\n'
    printf '  mov.u32 %%t, %%tid.x;\n%s' "$2"
    for _ in $(seq "$1"); do
        printf '  atom.global.add.u32 %%i, [%%count], 1;\n  and.b32 %%i, %%i, 1023;\n  mul.wide.u32 %%o, %%i, 4;\n'
        printf '  add.u64 %%o, %%out, %%o;\n  st.global.u32 [%%o], 1;\n'
    done
    printf '  ret;\n}\n'
}
counted 1 '' >"$work/counted.ptx"
expect 0 "larger blocks: one run does not decide (the time is over), and a search is not" "$work/counted.ptx" --timeout 6
"$program" check "$work/counted.ptx" --memory 40 --timeout 4 >"$work/out" 2>&1 # (with sanitizers, there is no limit on memory)
grep -qE 'k \(.*\): (undecided|free)' "$work/out" || fail "check --memory 40 does not name the launch that was tried: $(head -3 "$work/out")"
# What one run does not decide and a search refuses: the answer says both.
counted 1 '' | sed 's|1023|8191|; s|^.visible|// PTXLITMUS global out[8192]\n// PTXLITMUS global n\n// PTXLITMUS kernel k grid 1 block 8\n// PTXLITMUS arg 0 = \&n\n// PTXLITMUS arg 1 = \&out\n&|' >"$work/far.ptx"
expect 2 'error: this address may be any of more than 4096 places' "$work/far.ptx"
expect 2 'note: one run of all 8 threads does not decide whether this launch is free of faults: its accesses can take place in too many orders; a search of all executions could, but refuses the launch, as the error says' "$work/far.ptx"
counted 96 '  st.global.u32 [%out], %t;
' >"$work/counted.ptx"
expect 1 "found by running all 128 threads once" "$work/counted.ptx" --block 64 --timeout 6 # (no smaller launch is taken then)

# --- Of more than ten pairs of places that race, ten are shown, and the others are counted
many() {
    printf '.version 8.6\n.target sm_90\n.address_size 64\n// PTXLITMUS kernel k grid 1 block 64\n'
    printf '.visible .global .align 4 .u32 x[16];\n.visible .entry k()\n{\n  .reg .b32 %%r<2>;\n  mov.u32 %%r1, %%tid.x;\n'
    for ((i = 0; i < $1; i++)); do printf '  st.global.u32 [x+%d], %%r1;\n' $((4 * i)); done
    printf '  ret;\n}\n'
}
many 10 >"$work/many.ptx"
expect 1 "data-race  line 19  x[9] written" "$work/many.ptx" --method run
grep -qF 'more place' "$work/out" && fail 'ten races are not cut'
many 11 >"$work/many.ptx"
expect 1 "and races of 1 more place (--format json shows all)" "$work/many.ptx" --method run
grep -qF 'line 20' "$work/out" && fail 'the eleventh race is shown'
many 14 >"$work/many.ptx"
expect 1 "and races of 4 more places (--format json shows all)" "$work/many.ptx" --method run
expect 1 'line 23' "$work/many.ptx" --method run --format json

# --- setmaxnreg is on every target with features of its own, not on sm_90a alone
cat >"$work/registers.ptx" <<'END'
.version 9.0
.target sm_100a
.address_size 64
.visible .entry k()
{
  setmaxnreg.dec.sync.aligned.u32 40;
  ret;
}
END
expect 0 'nothing was shared' "$work/registers.ptx" --grid 1

# --- Calls of printf, whose parameters the threads write
cat >"$work/print.ptx" <<'END'
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.global .align 1 .b8 text[4] = {37, 100, 10, 0};
.visible .entry k(.param .u32 n, .param .u64 p)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 tile[256];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, tile;
  add.u32 %r4, %r3, %r2;
  st.shared.u32 [%r4], %r1;
  mov.u64 %rd1, text;
  cvta.global.u64 %rd2, %rd1;
  {
  .param .b64 param0;
  st.param.b64 [param0+0], %rd2;
  .param .b64 param1;
  st.param.b64 [param1+0], 0;
  .param .b32 retval0;
  call.uni (retval0), vprintf, (param0, param1);
  ld.param.b32 %r5, [retval0+0];
  }
  bar.sync 0;
  xor.b32 %r2, %r2, 4;
  add.u32 %r4, %r3, %r2;
  ld.shared.u32 %r6, [%r4];
  ret;
}
END
expect 0 'found by running all 128 threads once' "$work/print.ptx"
sed '/bar.sync/d' "$work/print.ptx" >"$work/print_early.ptx"
expect 1 'data-race  line 15' "$work/print_early.ptx"

# --- Integers that are derived: one that shows a fault, also where a comparison names it
cat >"$work/sweep.ptx" <<'END'
.version 8.7
.target sm_90
.address_size 64
.visible .entry sweep(.param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    .shared .align 4 .b8 s[256];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    setp.gt.u32 %p1, %r1, 20;
    @%p1 bra one;
    shl.b32 %r3, %r2, 2;
    mov.u32 %r4, s;
    add.u32 %r4, %r4, %r3;
    st.shared.u32 [%r4], %r2;
    ret;
one:
    st.shared.u32 [s], %r2;
    ret;
}
END
expect 1 "ran with grid 1 (all blocks would do the same), block 64 (all threads), arg 0 = 21; assumed: grid, block, arg 0" "$work/sweep.ptx"
expect 1 "data-race  line 19" "$work/sweep.ptx" --block 2
expect 0 "block 2 (all threads), arg 0 = 20; assumed: grid" "$work/sweep.ptx" --block 2 --arg n=20
sed 's/%r1, 20;/%r1, 2000;/' "$work/sweep.ptx" >"$work/large.ptx"
expect 0 "arg 0 = 3; assumed: grid, arg 0; also free where integers are 2, 1, 0" "$work/large.ptx" --block 2

# --- What is saved launches it again
expect 1 "data-race  line 51" "$module" reverse_early --block 4 --save
grep -qx 'kernel reverse_early grid 2 block 4' "$module.litmus" || fail "--save: $(cat "$module.litmus")"
expect 1 "data-race  line 51" "$module"
expect 2 "a manifest says how it is launched" "$module" --grid 3
expect 2 "a manifest says how it is launched" "$module" --save
rm "$module.litmus"
expect 0 "free of data races" "$module" reverse_late --save="$work/kept.litmus"
expect 4 "cannot save the launch: it is there already" "$module" reverse_late --save="$work/kept.litmus"
expect 4 "cannot save the launch: No such file or directory" "$module" reverse_late --save="$work/none/kept.litmus"

# --- What parameters of 64 bits are for: an address, a number, and both in a struct
cat >"$work/parts.ptx" <<'END'
.version 8.7
.target sm_90
.address_size 64
.visible .entry parts(.param .u64 p, .param .u64 n, .param .align 8 .b8 t[32])
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [p];
    ld.param.u64 %rd2, [n];
    ld.param.u64 %rd3, [t+8];
    ld.param.v2.u32 {%r1, %r2}, [t+16];
    cvta.to.global.u64 %rd4, %rd1;
    cvta.to.global.u64 %rd5, %rd3;
    mov.u32 %r3, %ctaid.x;
    cvt.u64.u32 %rd6, %r3;
    setp.ge.u64 %p1, %rd6, %rd2;
    @%p1 ret;
    shl.b64 %rd7, %rd6, 2;
    add.s64 %rd8, %rd4, %rd7;
    add.s64 %rd9, %rd5, %rd7;
    add.u32 %r1, %r1, %r2;
    st.global.u32 [%rd8], %r1;
    st.global.u32 [%rd9], %r1;
    ret;
}
.visible .entry alike(.param .u64 p)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r1;
    ret;
}
END
expect 0 "ran with grid 2, block 1 (all threads), arg 0 = 4096 bytes, zero at first, arg 1 = 3, arg 2 = {4096 bytes, 3, 3}; assumed" "$work/parts.ptx" parts --block 1
expect 1 "data-race  line 23  k0_arg0[0] written by thread 0 of block 0" "$work/parts.ptx" parts
expect 1 "line 24  k0_arg2_8[0] written by thread 0 of block 0" "$work/parts.ptx" parts
expect 0 "ran with grid 1 (all blocks would do the same), block 64 (all threads), arg 0 = 4096 bytes" "$work/parts.ptx" alike
expect 1 "data-race" "$work/parts.ptx" alike --grid 2

# --- An integer that is a distance in bytes, and is compared with nothing: rows are far from each other
cat >"$work/distance.ptx" <<'END'
.version 8.7
.target sm_90
.address_size 64
.visible .entry distance(.param .u64 p, .param .u32 n)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [n];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r1, %r2;
    add.s64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r2;
    ret;
}
END
expect 0 "ran with grid 1 (all blocks would do the same), block 64 (all threads), arg 0 = 64528 bytes, zero at first, arg 1 = 1024; assumed: grid, block, arg 0, arg 1" "$work/distance.ptx"
expect 0 "arg 1 = 4" "$work/distance.ptx" --arg n=4
expect 1 "arg 1 = 0" "$work/distance.ptx" --arg n=0
# One that is loaded twice, and multiplied once
sed 's/    ld.param.u32 %r1, \[n\];/&\n    ld.param.u32 %r3, [n];/' "$work/distance.ptx" >"$work/twice.ptx"
expect 0 "arg 1 = 1024; assumed: grid, block, arg 0, arg 1" "$work/twice.ptx"
# One that is compared, too: words are further apart than 3, and 0 is tried
sed -e 's/    .reg .b32 %r<4>;/    .reg .pred %p<2>;\n&/' -e 's/    mov.u32 %r2, %tid.x;/&\n    setp.gt.u32 %p1, %r1, 5000;\n    @%p1 ret;/' "$work/distance.ptx" >"$work/extent.ptx"
# (a fault that longer rows do not have, and which is that two threads store to one place, is possible only)
# (Under sanitizers its trials, which have some seconds by the clock, may not end in time.)
if [ -z "${PTXLITMUS_SLOW:-}" ]; then
    expect 3 "ran with grid 1 (all blocks would do the same), block 64 (all threads), arg 0 = 4096 bytes, zero at first, arg 1 = 0; assumed: grid, block, arg 0, arg 1; but free where integers are 4, 64" "$work/extent.ptx"
    expect 3 "possible data-race  line 17  k0_arg0[0] written by thread 0 of block 0  | " "$work/extent.ptx"
    expect 3 "assumed: the launch is the one that was derived: with integers of 64 it is free" "$work/extent.ptx"
    expect 3 '"possible_flags":["data-race"]' "$work/extent.ptx" --format json
fi

# --- Objects are as large as what is accessed
cat >"$work/far.ptx" <<'END'
.version 8.7
.target sm_90
.address_size 64
.extern .shared .align 4 .b8 room[];
.visible .entry far(.param .u64 p, .param .u64 q)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [p];
    ld.param.u64 %rd2, [q];
    cvta.to.global.u64 %rd3, %rd1;
    cvta.to.global.u64 %rd4, %rd2;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd5, %r1, 4000;
    add.s64 %rd6, %rd3, %rd5;
    ld.global.u32 %r2, [%rd6];
    shl.b32 %r3, %r1, 6;
    mov.u32 %r4, room;
    add.u32 %r4, %r4, %r3;
    st.shared.u32 [%r4], %r2;
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd7, %rd4, %rd5;
    st.global.u32 [%rd7], %r2;
    ret;
}
END
far="$work/far.ptx"
sizes='arg 0 = 252016 bytes, arg 1 = 4096 bytes, zero at first, 4096 bytes of dynamic shared memory'
expect 0 "ran with grid 1 (all blocks would do the same), block 64 (all threads), $sizes; assumed" "$far"
expect 0 "ran with grid 1 (all blocks would do the same), block 64 (all threads), $sizes; assumed" "$far" --block 64
expect 0 "arg 0 and arg 1 = 4096 bytes each, zero at first, 1024 bytes" "$far" --block 2
expect 0 "ran with grid 1 (all blocks would do the same), block 64 (all threads), $sizes; assumed" "$far" --memory 100
expect 0 "ran with grid 1 (all blocks would do the same), block 64 (all threads), $sizes; assumed" "$far" --save
grep -qx 'global k0_arg0\[63004\]' "$far.litmus" || fail "--save: $(cat "$far.litmus")"
expect 0 "found by running all 64 threads once" "$far"
rm "$far.litmus"
command=explain expect 0 'block 2 (all threads), arg 0 = 252016 bytes, arg 1 = 4096 bytes, zero at first' "$far"
command=explain expect 0 'block 2 (all threads), arg 0 and arg 1 = 4096 bytes each, zero at first' "$far" --block 2
command=run expect 0 'Launched with grid 1 (all blocks would do the same), block 16 (all threads), arg 0 = 60016 bytes' "$far" --block 16
# but not where the access is farther than 64 MiB, before the object, or in an array of the module's own
sed 's/, 4000;/, 4000000;/' "$far" >"$work/farther.ptx"
expect 3 "arg 0 and arg 1 = 4096 bytes each, zero at first, 1024 bytes" "$work/farther.ptx" --method run --block 64
expect 3 "one run does not decide it: an access is outside of every variable" "$work/farther.ptx" --method run --block 64
sed 's/add.s64 %rd6, %rd3/sub.s64 %rd6, %rd3/' "$far" >"$work/before.ptx"
expect 3 "one run does not decide it: an access is outside of every variable" "$work/before.ptx" --method run --block 64
sed -e 's/^\.extern \(.*\)room\[\]/\1room[1024]/' "$far" >"$work/own.ptx"
expect 3 "one run does not decide it: an access is outside of every variable" "$work/own.ptx" --method run --block 64
# nor where it depends on what is not known: here, on what the approximation of a division gives
sed -e 's/    mul.wide.u32 %rd5, %r1, 4000;/    cvt.rn.f32.u32 %r5, %r1;\n    ex2.approx.f32 %r5, %r5;\n    cvt.rzi.u32.f32 %r5, %r5;\n    mul.wide.u32 %rd5, %r5, 4;/' "$far" >"$work/garbage.ptx"
expect 3 "one run does not decide it: the address of an access depends on contents that are not known" "$work/garbage.ptx" --method run --block 64
expect 3 "arg 0 and arg 1 = 4096 bytes each" "$work/garbage.ptx" --method run --block 64

# --- Blocks of two dimensions, where the kernel asks for the second one
cat >"$work/tile.ptx" <<'END'
.version 8.7
.target sm_90
.address_size 64
.visible .entry tile()
{
    .reg .b32 %r<6>;
    .shared .align 4 .b8 s[4096];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %tid.y;
    mad.lo.u32 %r3, %r2, 16, %r1;
    shl.b32 %r3, %r3, 2;
    mov.u32 %r4, s;
    add.u32 %r4, %r4, %r3;
    st.shared.u32 [%r4], %r1;
    ret;
}
END
expect 0 "ran with grid 1 (all blocks would do the same), block 16,16,1 (all threads); assumed: grid, block" "$work/tile.ptx"
sed 's/s\[4096\]/s[512]/' "$work/tile.ptx" >"$work/narrow.ptx"
expect 0 "ran with grid 1 (all blocks would do the same), block 8,8,1 (all threads); assumed: grid, block" "$work/narrow.ptx"
sed 's/, 16, /, 12, /' "$work/tile.ptx" >"$work/close.ptx"
# A tile that is narrower than the block: threads of it store to one place, and a smaller block has no fault
expect 3 "ran with grid 1 (all blocks would do the same), block 16,16,1 (all threads); assumed: grid, block; but free with block 8,8,1" "$work/close.ptx"
expect 3 "possible data-race  line 14  bytes 48 to 51 of s written by thread (12,0,0) of block 0  | " "$work/close.ptx"
expect 3 "assumed: the launch is the one that was derived: with block 8,8,1 it is free" "$work/close.ptx"
# but not where the block is the user's own, or where a place is read that another thread has written
expect 1 "data-race  line 14" "$work/close.ptx" --block 16,16
sed 's/    st.shared.u32 \[%r4\], %r1;/&\n    ld.shared.u32 %r5, [%r4];/' "$work/close.ptx" >"$work/read_back.ptx"
expect 1 "but free with block 8,8,1" "$work/read_back.ptx"
# but not where it numbers the threads of a block of any shape
sed 's/    mad.lo.u32 %r3, %r2, 16, %r1;/    mov.u32 %r5, %tid.z;\n    add.u32 %r2, %r2, %r5;\n&/' "$work/tile.ptx" >"$work/numbered.ptx"
expect 0 "ran with grid 1 (all blocks would do the same), block 64 (all threads); assumed: grid, block" "$work/numbered.ptx"
# A kernel for rows of whole blocks, and for other blocks: that is said
cat >"$work/rows.ptx" <<'END'
.version 8.7
.target sm_90
.address_size 64
.visible .entry rows(.param .u64 p, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [n];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %tid.y;
    shr.u32 %r4, %r2, 1;
    setp.gt.u32 %p1, %r3, %r1;
    @%p1 ret;
    mad.lo.u32 %r5, %r3, %r1, %r4;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r2;
    ret;
}
END
expect 1 "arg 1 = 3; assumed: grid, block, arg 0, arg 1" "$work/rows.ptx"
sed 's/    shr.u32 %r4, %r2, 1;/    mov.u32 %r4, %r2;/' "$work/rows.ptx" >"$work/whole.ptx"
expect 3 "arg 1 = 3; assumed: grid, block, arg 0, arg 1; but free where integers are 64" "$work/whole.ptx"

# --- What objects hold at first: zeros, so that all threads go to one place; or what decides nothing
cat >"$work/contents.ptx" <<'END'
.version 8.7
.target sm_90
.address_size 64
.visible .entry scatter(.param .u64 places, .param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [places];
    ld.param.u64 %rd2, [p];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.u32 %r2, [%rd4];
    mul.wide.u32 %rd5, %r2, 4;
    add.s64 %rd6, %rd2, %rd5;
    st.global.u32 [%rd6], %r1;
    ret;
}
END
expect 3 "possible data-race  line 16  k0_arg1[0] written by thread 0 of block 0" "$work/contents.ptx"
expect 3 "assumed: objects hold zeros at first, as was derived: where an access goes that races depends on that" "$work/contents.ptx"
sed 's/\[%rd6\], %r1/[%rd2], %r1/' "$work/contents.ptx" >"$work/one_place.ptx"
expect 1 "data-race  line 16  k0_arg1[0] written by thread 0 of block 0" "$work/one_place.ptx"
expect 1 "data-race  line 16" "$work/one_place.ptx" --grid 1 --block 4
sed 's/\[%rd6\], %r1/[%rd4], %r1/' "$work/contents.ptx" >"$work/own_place.ptx"
expect 0 "also free where integers are 2, 1, 0; also free with any contents of objects" "$work/own_place.ptx"
sed -e 's/^{/&\n    .reg .pred %p<2>;/' -e 's/    mul.wide.u32 %rd5, %r2, 4;/    setp.eq.u32 %p1, %r2, 0;\n    @%p1 ret;/' \
  -e 's/\[%rd6\], %r1/[%rd2], %r1/' -e '/add.s64 %rd6/d' "$work/contents.ptx" >"$work/asked.ptx"
expect 0 "assumed: grid, block, arg 0, arg 1; not decided for other contents of objects" "$work/asked.ptx"

# --- Loads of read-only data, which nothing in the launch may write; and numbers that are not read
sed 's/    ld.global.u32 %r2, /    ldu.global.u32 %r2, /' "$work/contents.ptx" >"$work/constant.ptx"
sed -i 's/\[%rd6\], %r1/[%rd4], %r2/; /add.s64 %rd6/d' "$work/constant.ptx"
expect 1 'readonly-written  line 1' "$work/constant.ptx" --grid 1 --block 1
sed -i 's|global.u32 \[%rd4\], %r2|global.u32 [%rd2], %r2|' "$work/constant.ptx"
expect 0 'nothing was shared' "$work/constant.ptx" --grid 1 --block 1
sed -e 's/%rd<8>;/&\n    .reg .f32 %f<2>;/' -e 's/    mul.wide.u32 %rd5, %r2, 4;/    mov.f32 %f1, 0f00000000;\n    cvt.rna.tf32.f32 %r2, %f1;\n&/' "$work/contents.ptx" >"$work/tf32.ptx"
expect 3 'one run does not decide it: the address of an access depends on contents that are not known (line 19)' "$work/tf32.ptx" --method run --block 1
sed 's/cvt.rna.tf32.f32/cvt.rna.tf32.ftz.f32/' "$work/tf32.ptx" >"$work/tf32_flushed.ptx"
expect 2 "error: '.rna' is for forms of 'cvt' that are valid PTX" "$work/tf32_flushed.ptx"

# --- Targets for the features of a family
for target in sm_100f sm_103f sm_110f; do
    printf '.version 9.0\n.target %s\n.address_size 64\n.visible .entry k()\n{\n  .reg .b32 %%r<2>;\n  tcgen05.wait::ld.sync.aligned;\n  ret;\n}\n' "$target" >"$work/family.ptx"
    expect 0 'free of data races' "$work/family.ptx" --method search --grid 1 --block 1
done
sed -i 's/tcgen05.wait::ld.sync.aligned/tcgen05.shift.cta_group::1.down [%r1]/' "$work/family.ptx"
expect 2 "needs sm_100a, sm_103a, sm_107a or sm_110a, not sm_110f" "$work/family.ptx" --grid 1 --block 1

# --- Many blocks, as inlined functions and inline assembly make
{
    printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n  .reg .b32 %%r<2>;\n'
    for i in $(seq 1500); do printf '{ .reg .b32 t; mov.u32 t, %%tid.x; bra L; L: mov.u32 %%r1, t; }\n'; done
    printf '  ret;\n}\n'
} >"$work/blocks.ptx"
expect 0 'nothing was shared' "$work/blocks.ptx" --grid 1 --block 2

# --- Matrices of wmma: without the barrier they race; and forms that PTX has not
matrices=tests/cases/inputs/modules/wmma.ptx
grep -v bar.sync "$matrices" >"$work/unordered.ptx"
expect 1 'of tile read by thread 0 of block 0      | @%p1 wmma.load.b.sync.aligned.col.m16n16k16.shared.f16' --method run "$work/unordered.ptx" handoff
sed 's/row.m16n16k16.global/row.m16n16k64.global/' "$matrices" >"$work/shape.ptx"
expect 2 "error: this form of 'wmma.store' is not one of PTX, as 'wmma.load.a.sync.aligned.row.m16n16k16.shared.f16' is" "$work/shape.ptx" tiles
sed 's/row.m16n16k16.global/row.m16n16k16.const/' "$matrices" >"$work/space.ptx"
expect 2 "error: this form of 'wmma.store' is not one of PTX" "$work/space.ptx" tiles
sed 's/, 16;/, %rd3;/' "$matrices" >"$work/stride.ptx"
expect 2 "error: a 'wmma.store' has the address in a register in brackets, its registers in braces, and maybe a stride: '[%rd1], {%r1, %r2}, %r3'" "$work/stride.ptx" tiles
sed 's/\[%r2+0\], %r4;/[tile], %r4;/' "$matrices" >"$work/base.ptx"
expect 2 "error: a 'wmma.load' has its registers in braces" "$work/base.ptx" handoff

# --- A barrier of the grid: the workspace of cooperative groups, and orders in which blocks come to it
cp tests/kernels/whole/grid_sync.ptx "$work/grid.ptx"
expect 0 "a workspace of the grid, of zeros; assumed: grid, block, arg 0, arg 1, workspace" "$work/grid.ptx"
expect 0 "found by running all 128 threads 12 times, in each order in which they can take turns where they meet" "$work/grid.ptx"
grep -v 'barrier.sync' "$work/grid.ptx" >"$work/apart.ptx"
expect 1 "data-race" "$work/apart.ptx" --method run --block 32

# --- One block, for which a kernel may be made: that it is free with that is said
sed -e 's/    cvta.to.global.u64 %rd2, %rd1;/    mov.u32 %r2, %ctaid.x;\n&/' "$work/parts.ptx" >"$work/single.ptx"
expect 1 "assumed: grid, block, arg 0; but free with one block" "$work/single.ptx" alike
# Of blocks that do different things that goes without saying.
expect 1 "assumed: grid, block, arg 0, arg 1, arg 2" tests/cases/inputs/kernels/handoff-weak.ptx handoff
grep -qF 'but free' "$work/out" && fail "what goes without saying is said: $(head -1 "$work/out")"

# --- Blocks that are derived: of 64 threads, or of fewer, where these do not fit
cat >"$work/small.ptx" <<'END'
.version 8.7
.target sm_90
.address_size 64
.visible .entry small()
{
    .reg .b32 %r<4>;
    .shared .align 4 .b8 s[32];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, s;
    add.u32 %r3, %r3, %r2;
    st.shared.u32 [%r3], %r1;
    ret;
}
END
expect 0 "ran with grid 1 (all blocks would do the same), block 8 (all threads); assumed: grid, block; larger blocks: one run does not decide (an access is outside of every variable), and a search is refused (this access lies outside of every variable)" "$work/small.ptx"
expect 2 "this access lies outside of every variable" "$work/small.ptx" --block 9

# --- A call in the place of an instruction that the target lacks
sed -e 's/^\.visible/.extern .func __cuda_ptx_f_is_not_supported_before_SM_90a_SM_100a__();\n&/' \
    -e 's/    ret;/    call __cuda_ptx_f_is_not_supported_before_SM_90a_SM_100a__, ();\n&/' "$work/small.ptx" >"$work/lacks.ptx"
expect 2 "this call takes the place of an instruction that the target of the module lacks" "$work/lacks.ptx"
expect 2 "compile it for sm_90a, as with 'nvcc -arch=sm_90a'" "$work/lacks.ptx"

# --- Wrong words
expect 2 "2 of its kernels may be meant" "$module"
expect 2 "there is no kernel 'reverse_now'" "$module" reverse_now
expect 2 "name one after the file: 'reverse_late', 'reverse_early'" "$module" reverse_now
expect 2 "has no parameter 'm'" "$module" reverse_late --arg m=3
expect 2 "it has 0 or 'data', 1 or 'n'" "$module" reverse_late --arg 2=3
expect 2 "'--arg' takes NAME=VALUE" "$module" reverse_late --arg n
expect 2 "'--grid' takes one to three numbers from 1 to 65535" "$module" reverse_late --grid 0
expect 2 "'--block' takes one to three numbers from 1 to 65535" "$module" reverse_late --block 8,x
expect 2 "'--cluster' takes one to three numbers" "$module" reverse_late --cluster 1,1,1,1
expect 2 "'--threads' takes numbers of threads" "$module" reverse_late --threads 0,,1
expect 2 "'--save=' needs the name of a file" "$module" reverse_late --save=
expect 2 "options of a launch are for one kernel" "$module" "$work/other.ptx" --grid 2
expect 2 "flags after '--' are for the compiler of a .cu file" "$module" -- -O1
expect 2 "give one .cu file" "$work/reverse.cu" "$work/flag.cu"

# --- .cu files, without a compiler
expect 2 "cannot run '$work/nvcc'" "$work/reverse.cu" --compiler "$work/nvcc"
NVCC=$work/nvcc expect 2 "'nvcc -ptx -lineinfo $work/reverse.cu' makes a module" "$work/reverse.cu"
for other in run explain repair relax inspect "report -o $work/pages"; do
    command=$other expect 2 "cannot run '$work/nvcc'" "$work/reverse.cu" --compiler "$work/nvcc"
done
command=compare expect 2 "cannot run '$work/nvcc'" "$work/reverse.cu" "$work/flag.cu" --compiler "$work/nvcc"
command=harness expect 2 "'harness' does not compile '$work/reverse.cu': 'ptxlitmus check' does" "$work/reverse.cu" -o "$work/none"

# --- with one that writes down how it was called
mkdir -p "$work/project/src" "$work/project/include"
cat >"$work/compiler" <<END
#!/bin/sh
printf '%s\n' "\$*" >>'$work/words'
for last; do :; done
cat '$work/small.ptx' >"\$last"
END
chmod +x "$work/compiler"
echo '__global__ void small() {}' >"$work/project/src/small.cu"
touch "$work/project/include/before.h"

# project FLAGS: what compile_commands.json has; compiled WORDS OPTION...: what the compiler is called with.
project() {
    printf '[{"directory": "%s", "file": "src/other.cu", "command": "nvcc -DOTHER"},\n{"directory": "%s", "file": "src/small.cu", %s}]\n' \
        "$work/project" "$work/project" "$1" >"$work/project/compile_commands.json"
}
compiled() {
    local words=$1
    shift
    rm -f "$work/words"
    expect 0 "ran with grid 1 (all blocks would do the same), block 2 (all threads)" "$work/project/src/small.cu" --block 2 --compiler "$work/compiler" "$@"
    grep -qxF -- "-ptx -lineinfo $words $work/project/src/small.cu -o $(sed 's/.* //' "$work/words")" "$work/words" ||
        fail "compiled by: $(cat "$work/words"), not $words"
}
compiled "-arch=sm_90"
project '"command": "nvcc -O3 -DA=1 -D \"B=\\\"x y\\\"\" -UC -Iinclude -isystem=/opt/x -isystem include -include include/before.h -Xcompiler -DHOST -std=c++17 --expt-relaxed-constexpr -c src/small.cu -o small.o"'
compiled "-DA=1 -DB=\"x y\" -UC -I $work/project/include -isystem /opt/x -isystem $work/project/include -include $work/project/include/before.h -std=c++17 -arch=sm_90"
grep -qF 'compiled for sm_90 with flags of compile_commands.json' "$work/out" || fail "no word of compile_commands.json: $(cat "$work/out")"
compiled "-DA=1 -DB=\"x y\" -UC -I $work/project/include -isystem /opt/x -isystem $work/project/include -include $work/project/include/before.h -std=c++17 -DA=2 -arch=sm_80" \
    -- -DA=2 -arch=sm_80
project '"arguments": ["nvcc", "-DA", "-gencode", "arch=compute_80,code=sm_80", "--generate-code=arch=compute_90a,code=[compute_90a,sm_90a]", "--std", "c++20"]'
compiled "-DA --std=c++20 -arch=sm_90a"
command="run --format text" compiled "-DA --std=c++20 -arch=sm_90a"
project '"arguments": ["nvcc", "-arch=native"]'
compiled "-arch=sm_90"
expect 2 "project/compile_commands.json: error: this is not JSON: " "$work/project/src/small.cu" --compiler "$(echo '[{' >"$work/project/compile_commands.json")$work/compiler"
expect 2 "flags of '$work/project/src/small.cu' are looked for in it" "$work/project/src/small.cu"
echo '{}' >"$work/project/compile_commands.json"
expect 2 "compile_commands.json: error: it is not an array of objects" "$work/project/src/small.cu"
echo '[{}]' >"$work/project/compile_commands.json"
expect 2 "compile_commands.json: error: entry 1 has no text 'file'" "$work/project/src/small.cu"

# --- and with nvcc
if [ -n "${PTXLITMUS_SLOW:-}" ]; then
    echo 'slow: the .cu files were not compiled'
elif command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
    PATH=$PATH:/usr/local/cuda/bin
    unset NVCC CUDACXX
    expect 0 "reverse.cu: reverse_late ran with grid 2, block 8 (all threads)" "$work/reverse.cu" reverse_late --block 8
    expect 1 "data-race  reverse.cu:5  bytes 8 to 11 of tile written by thread 2 of block 0  | if (i < n) tile[i] = data" "$work/reverse.cu" reverse_early --block 8
    expect 1 "reverse.cu:7: __syncthreads(); before it" "$work/reverse.cu" reverse_early --block 8
    expect 1 "confirmed by running all 16 threads: with it, free of data races" "$work/reverse.cu" reverse_early --block 8
    expect 0 "data = 4096 bytes, zero at first, n = 1; assumed: grid, data" "$work/reverse.cu" reverse_early --block 8 --arg n=1
    expect 2 "it has 0 or 'data', 1 or 'n'" "$work/reverse.cu" reverse_early --arg m=1
    flag="flag.cu:7   data[0] written by thread 0 of block 0  | data[0] = 42;"
    expect 1 "data-race  $flag" "$work/flag.cu" --block 1
    expect 1 "the load at flag.cu:13 is not an acquire" "$work/flag.cu" --block 1
    expect 1 "fix        flag.cu:13: memory_order_acquire for memory_order_relaxed" "$work/flag.cu" --block 1
    expect 1 "P1 flag.cu:16: ld.global.u32 %r5, [%rd1] reads 0 from the initial value" "$work/flag.cu" --block 1 -v
    printf '__global__ void k(volatile int *f) {\n  if (threadIdx.x == 0) while (*f == 0) {}\n  __syncthreads();\n}\n' >"$work/hang.cu"
    expect 1 "thread 0 of block 0, thread 0 of block 1: goes round a loop for ever (hang.cu:2): reads f = 0" "$work/hang.cu" --block 4 --grid 2
    expect 1 "thread 1 of block 0, thread 2 of block 0, thread 3 of block 0: never leaves the barrier (hang.cu:3)" "$work/hang.cu" --block 4
    printf '#include <cuda/ptx>\n__global__ void k() { cuda::ptx::fence_proxy_async(); }\n' >"$work/proxy.cu"
    expect 0 "compiled for sm_90" "$work/proxy.cu"
    expect 2 "compile it for sm_90, as with 'nvcc -arch=sm_90'" "$work/proxy.cu" -- -arch=sm_80
    sed 's/memory_order_relaxed/memory_order_acquire/' "$work/flag.cu" >"$work/right.cu"
    expect 0 "free of data races, hangs and undefined uses, when launched with" "$work/right.cu" --block 1
    expect 2 "2 of its kernels may be meant" "$work/reverse.cu" -- -O1
    expect 2 "'nvcc' did not compile" "$work/reverse.cu" reverse_late -- --no-such-flag
    echo '__global__ void k(int *p) { *q = 1; }' >"$work/wrong.cu"
    expect 2 'identifier "q" is undefined' "$work/wrong.cu"
    expect 2 "did not compile" "$work/none.cu"

    # Other commands
    launched="flag.cu: flag ran with grid 2, block 1 (all threads), data, ready and out = 4096 bytes each, zero at first"
    command="run --format text" expect 0 "$launched" "$work/flag.cu" --block 1
    command=explain expect 0 "$launched" "$work/flag.cu" --block 1
    command=explain expect 0 "data-race between P0:3 (P0 flag.cu:7:" "$work/flag.cu" flag --block 1
    command=repair expect 0 "line 57 (flag.cu:13): 'ld.acquire.gpu.b32' for 'ld.relaxed.gpu.b32'" "$work/flag.cu" --block 1 --ask 'exists (out[0] == 0)'
    command=repair expect 2 "--ask 'exists (data[0] == 1)'" "$work/flag.cu" --block 1
    command=relax expect 0 "forbidden, exists (out[0] == 0)" "$work/right.cu" --block 1 --ask 'exists (out[0] == 0)'
    command=compare expect 1 "B within A" "$work/flag.cu" "$work/right.cu" --block 1 --ask 'exists (out[0] == 0)'
    command=inspect expect 0 "kernel reverse_early(int*, int)" "$work/reverse.cu" -- -O1
    command=inspect expect 0 "kernel reverse_early(int*, int)" "$work/reverse.cu" reverse_early
    command="report -o $work/pages" expect 0 "1 page" "$work/flag.cu" --block 1
else
    echo 'nvcc is missing: the .cu files were not compiled'
fi

printf '%d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
