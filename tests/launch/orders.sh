#!/bin/bash
# Launches whose threads come to accesses unordered: in how many orders they are run, and what that shows. And what threads
# do that PTX leaves undefined.
#
#   tests/launch/orders.sh BUILD
set -u
export LC_ALL=C
build=${1:?the build folder}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# kernel GRID BLOCK: a module from lines of code on standard input; %r1 is the number of the block, %r2 that of the thread.
kernel() {
  cat <<END
.version 8.6
.target sm_90
.address_size 64
// PTXLITMUS kernel k grid $1 block $2
.visible .global .align 4 .u32 x;
.visible .global .align 4 .u32 y;
.visible .global .align 4 .u32 d;
.visible .global .align 4 .u32 e[64];
.visible .entry k()
{
  .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  .shared .align 4 .u32 s;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mov.u32 %r10, %nctaid.x;
END
  cat
  printf '  ret;\n}\n'
}

# expect NAME WORDS METHOD OPTION...: what check says of a module on standard input contains the words. With run-first, no
# method is asked for.
expect() {
  local said method=(--method "$3")
  [ "$3" = run-first ] && method=()
  cat >"$work/$1.ptx"
  said=$("$build/ptxlitmus" check ${method[@]+"${method[@]}"} --no-fix "${@:4}" "$work/$1.ptx" 2>&1)
  if grep -qF -- "$2" <<<"$said"; then
    echo "ok: $1"
  else
    echo "FAIL: $1: not '$2' in: $said"
    failures=$((failures + 1))
  fi
}

# --- The last block adds up what the others have stored

last() {
  cat <<END
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra MEET;
  mov.u64 %rd1, e;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
  $1
  atom.relaxed.gpu.global.add.u32 %r3, [x], 1;
  $2
  st.shared.u32 [s], %r3;
MEET:
  bar.sync 0;
  ld.shared.u32 %r4, [s];
  sub.u32 %r5, %r10, 1;
  setp.ne.u32 %p2, %r4, %r5;
  @%p2 bra DONE;
  ld.global.u32 %r6, [e];
DONE:
END
}

fence='fence.acq_rel.gpu;'
last "$fence" "$fence" | kernel 2 32 | expect last '): free of data races, hangs and undefined uses' both
last "$fence" "$fence" | kernel 3 64 | expect last-of-three 'running all 192 threads 6 times, in each order' run
last "$fence" '' | kernel 2 2 | expect last-unacquired 'data-race' both
last '' "$fence" | kernel 2 2 | expect last-unreleased 'data-race' both
last 'fence.acq_rel.cta;' "$fence" | kernel 2 2 | expect last-of-cta 'data-race' both
last 'fence.sc.gpu;' 'fence.sc.gpu;' | kernel 2 2 | expect last-sc '): free of data races' both
last 'fence.sc.gpu;' '' | kernel 2 2 | expect last-sc-unacquired 'data-race' both

# --- All blocks come to a counter, twice: what a block has released to it at first does not hide what it releases then

meet_at() { # VALUE
  cat <<END
  atom.release.gpu.global.add.u32 %r3, [x], 1;
WAIT$1:
  ld.acquire.gpu.global.u32 %r3, [x];
  setp.lt.u32 %p2, %r3, $1;
  @%p2 bra WAIT$1;
END
}

twice() {
  cat <<END
  mov.u64 %rd1, e;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
END
  meet_at 2
  echo '  st.global.u32 [%rd3], %r1;'
  meet_at $1
  echo '  ld.global.u32 %r4, [e]; ld.global.u32 %r5, [e+4];'
}

twice 4 | kernel 2 1 | expect meet-twice '): free of data races, hangs and undefined uses' run
twice 4 | kernel 2 1 | expect meet-twice-searched '): free of data races, hangs and undefined uses' search
twice 3 | kernel 2 1 | expect meet-twice-early 'data-race' run

# --- A lock

lock() {
  cat <<END
  mov.u32 %r8, 8;
TAKE:
  $1
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra TAKEN;
  nanosleep.u32 %r8;
  shl.b32 %r8, %r8, 1;
  bra TAKE;
TAKEN:
  $2
  ld.global.u32 %r4, [d];
  add.u32 %r4, %r4, 1;
  st.global.u32 [d], %r4;
  $3
END
}

cas='atom.acquire.gpu.global.cas.b32 %r3, [x], 0, 1;'
exch='atom.acquire.gpu.global.exch.b32 %r3, [x], 1;'
free='st.release.gpu.global.u32 [x], 0;'
lock "$cas" '' "$free" | kernel 2 2 | expect lock '): free of data races' both
lock "$cas" '' "$free" | kernel 3 1 | expect lock-of-three 'times, in each order in which they can take turns' run
lock "$exch" '' "$free" | kernel 3 1 | expect lock-exchanged '): free of data races' both
lock "${cas/acquire/relaxed}" "$fence" "$fence ${free/release/relaxed}" | kernel 2 1 | expect lock-fenced '): free of data races' both
lock "${cas/acquire/relaxed}" '' "$free" | kernel 2 1 | expect lock-relaxed 'data-race' both
lock "$cas" '' '' | kernel 2 1 | expect lock-kept 'waits for ever' run

# --- A block polls together: one thread reads, and tells the others at a barrier

# together BARRIER ORDER FLAG: block 0 polls; block 1 stores data and then the flag.
together() {
  cat <<END
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra SET;
ROUND:
  $1
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra TOLD;
  ld.acquire.gpu.global.u32 %r3, [x];
  st.shared.u32 [s], %r3;
TOLD:
  bar.sync 0;
  ld.shared.u32 %r4, [s];
  setp.eq.u32 %p3, %r4, 0;
  @%p3 bra ROUND;
  ld.global.u32 %r5, [d];
  bra END;
SET:
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra END;
  st.global.u32 [d], 7;
  st.$2.gpu.global.u32 [x], $3;
END:
END
}
together 'bar.sync 0;' release 1 | kernel 2 256 | expect together 'in each order' run
together '' release 1 | kernel 2 64 | expect together-untold 's read by thread 1 of block 0' run
together '' release 1 | kernel 2 2 | expect together-untold-both 's read by thread 1 of block 0' both
together 'bar.sync 0;' relaxed 1 | kernel 2 64 | expect together-relaxed 'd read by thread 0 of block 0' run
together 'bar.sync 0;' relaxed 1 | kernel 2 2 | expect together-relaxed-both 'd read by thread 0 of block 0' both
# What the run has met is the answer where the search does not decide in time.
together 'bar.sync 0;' relaxed 1 | kernel 2 256 | expect together-undecided 'undecided' search --timeout 1
together 'bar.sync 0;' relaxed 1 | kernel 2 256 | expect together-met 'd read by thread 0 of block 0' run-first --timeout 2
together 'bar.sync 0;' release 0 | kernel 2 64 | expect together-for-ever 'thread 0 of block 0: waits for ever' run
together 'bar.sync 0;' release 0 | kernel 2 2 | expect together-for-ever-both 'hang' both

# --- Threads undo what the others do

# undo CONDITION: each thread stores its number, and does so again where what was there meets the condition.
undo() {
  cat <<END
AGAIN:
  atom.relaxed.gpu.global.exch.b32 %r3, [x], %r1;
  setp.$1 %p1, %r3, %r1;
  @%p1 bra AGAIN;
END
}
undo ne.u32 | kernel 2 1 | expect undo-for-ever '1 more like it: goes round a loop for ever' run
undo ne.u32 | kernel 2 1 | expect undo-for-ever-both 'goes round a loop for ever' both
undo gt.u32 | kernel 2 1 | expect undo-ends 'free of data races, hangs' both

# --- What no interleaving shows

cross() { # each block writes its place and reads the other's, and comes to d where that is VALUE
  cat <<END
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra OTHER;
  $2
  bra MEET;
OTHER:
  $3
MEET:
  setp.ne.u32 %p2, %r3, $1;
  @%p2 bra DONE;
  st.global.u32 [d], %r1;
DONE:
END
}

put() { echo "st.$1.gpu.global.u32 [$2], 1;"; }
get() { echo "ld.$1.gpu.global.u32 %r3, [$2];"; }
cross 0 "$(put release x) $(get acquire y)" "$(put release y) $(get acquire x)" | kernel 2 1 >"$work/buffers"
expect store-buffering 'it has a fault where reads return old values' run <"$work/buffers"
expect store-buffering-searched 'data-race' search <"$work/buffers"
sc='fence.sc.gpu;'
cross 0 "$(put relaxed x) $sc $(get relaxed y)" "$(put relaxed y) $sc $(get relaxed x)" | kernel 2 1 |
  expect store-buffering-sc '): free of data races' both
cross 1 "$(get relaxed x) $(put relaxed y)" "$(get relaxed y) $(put relaxed x)" | kernel 2 1 >"$work/loads"
expect load-buffering 'it reads what another thread has written, and does not synchronise with it' run <"$work/loads"
expect load-buffering-searched 'data-race' search <"$work/loads"
cross 1 "$(get acquire x) $(put release y)" "$(get acquire y) $(put release x)" | kernel 2 1 |
  expect load-buffering-ordered '): free of data races' both

# --- Polling

poll() {
  cat <<END
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra WAIT;
  st.global.u32 [d], 1;
  $1
  bra DONE;
WAIT:
  ld.$2.gpu.global.u32 %r3, [x];
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra WAIT;
  ld.global.u32 %r4, [d];
DONE:
END
}

poll "$(put release x)" acquire | kernel 2 1 | expect flag 'running all 2 threads once' run
poll "$(put release x)" acquire | kernel 4 16 | expect flags 'not free' run # 16 threads store to d
poll "$(put release x)" relaxed | kernel 2 1 | expect flag-relaxed 'data-race' both
poll "$(put relaxed x)" acquire | kernel 2 1 | expect flag-unreleased 'data-race' both
poll '' acquire | kernel 2 1 | expect flag-unset 'waits for ever' run
poll "$(put release x) st.relaxed.gpu.global.u32 [x], 0;" acquire | kernel 2 1 | expect flag-taken-back 'waits for ever' run

# A store that has observed an atomic operation comes after what that has written, and not after what it has read.
observed() {
  cat <<END
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra WRITE;
WAIT:
  ld.relaxed.gpu.global.u32 %r3, [x];
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra WAIT;
  st.relaxed.cta.global.u32 [x], 2;
  bra DONE;
WRITE:
  $1
DONE:
END
}

observed "$(put relaxed x)" | kernel 2 1 | expect observed-store '): free of data races' run
observed "$(put relaxed x)" | kernel 2 1 | expect observed-store-searched '): free of data races' search
for method in run search; do
  observed 'atom.relaxed.gpu.global.add.u32 %r3, [x], 1;' | kernel 2 1 | expect "observed-atom-$method" 'data-race' $method
done

# Five rounds of a buffer that two blocks hand to each other; the loops compute the address again.
ring() {
  cat <<END
  mov.u32 %r5, 0;
ROUND:
  add.u32 %r5, %r5, 1;
  setp.gt.u32 %p3, %r5, 5;
  @%p3 bra DONE;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra CONSUME;
  sub.u32 %r6, %r5, 1;
EMPTY:
  mov.u64 %rd1, y;
  $1
  setp.lt.u32 %p2, %r3, %r6;
  @%p2 bra EMPTY;
  st.global.u32 [d], %r5;
  st.release.gpu.global.u32 [x], %r5;
  bra ROUND;
CONSUME:
  mov.u64 %rd1, x;
  ld.acquire.gpu.global.u32 %r3, [%rd1];
  setp.lt.u32 %p2, %r3, %r5;
  @%p2 bra CONSUME;
  ld.global.u32 %r4, [d];
  st.release.gpu.global.u32 [y], %r5;
  bra ROUND;
DONE:
END
}

ring 'ld.acquire.gpu.global.u32 %r3, [%rd1];' | kernel 2 1 | expect ring 'running all 2 threads once: in every order' run
ring 'ld.relaxed.gpu.global.u32 %r3, [%rd1];' | kernel 2 1 | expect ring-relaxed 'data-race' run
ring 'mov.u32 %r3, 5;' | kernel 2 1 | expect ring-unwaited 'data-race' run

# --- Barriers and mbarriers that are misused

arrivals() {
  cat <<END
  .shared .align 8 .b64 m;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra MEET;
  $1
MEET:
  bar.sync 0;
  mbarrier.arrive.shared.b64 _, [m];
  $2
END
}

arrivals 'mbarrier.init.shared.b64 [m], 2;' '' | kernel 1 2 | expect arrivals '): free of data races' both
arrivals 'mbarrier.init.shared.b64 [m], 1;' '' | kernel 1 2 |
  expect arrivals-too-many 'it arrives in a phase of the mbarrier, and no wait has found the phase before it complete' run
arrivals '' '' | kernel 1 2 | expect arrivals-uninitialised 'nothing has initialised the mbarrier' run
arrivals 'mbarrier.init.shared.b64 [m], 2;' 'bar.arrive 1, 96; bar.arrive 1, 96;' | kernel 1 64 |
  expect barrier-twice 'it arrives twice in one phase of a barrier' run
counted='add.u32 %r5, %r2, 1; shl.b32 %r5, %r5, 5; bar.sync 1, %r5;'
arrivals 'mbarrier.init.shared.b64 [m], 2;' "$counted" | kernel 1 2 |
  expect barrier-counts 'others arrive at the barrier for another number of threads' run
for method in run search; do
  arrivals 'mbarrier.init.shared.b64 [m], 1;' '' | kernel 1 2 | expect "arrivals-too-many-$method" 'mbarrier-misuse' $method
  arrivals '' '' | kernel 1 2 | expect "arrivals-uninitialised-$method" 'mbarrier-misuse' $method
  arrivals 'mbarrier.init.shared.b64 [m], 2;' "$counted" | kernel 1 2 | expect "barrier-counts-$method" 'barrier-misuse' $method
done

[ "$failures" = 0 ]
