#!/usr/bin/env bash
# The commands `repair` and `relax` as a whole: exit statuses, files of costs and their messages, what is
# written, limits. (Their searches are compared with a plain loop in tests/unit/repair.)
#
# usage: repair.sh PROGRAM
set -u
program=$(realpath "${1:?usage: repair.sh PROGRAM}") || exit 2
export LC_ALL=C.UTF-8
. "$(dirname "${BASH_SOURCE[0]}")/checks.sh"
library=litmus/library

# --- Statuses
expect 0 "2 repairs, cheapest first; there are no others" repair --all $library/message-passing/MP+cta.litmus
expect 0 "Nothing to do: the outcome is forbidden already." repair $library/message-passing/MP.litmus
expect 1 "No repair: all that forbid the outcome cost more." repair --max-cost 17 $library/message-passing/MP+cta.litmus
expect 0 "1. cost 18" repair --max-cost 18 $library/message-passing/MP+cta.litmus
expect 1 "No repair: accesses of different sizes overlap" repair $library/bugs/byte-flags.litmus
expect 0 "Nothing in it can be weaker." relax $library/message-passing/MP.litmus
expect 1 "the outcome is allowed, and remains so" relax $library/message-passing/MP+cta.litmus
expect 3 "Undecided" repair --timeout 0.000001 $library/message-passing/MP+cta.litmus
expect 0 "'fence.acq_rel.gpu' before it" repair --all --target sm_80 $library/bugs/spin-lock.litmus
expect 0 "'fence.acquire.gpu' before it" repair --all --target sm_90 $library/bugs/spin-lock.litmus
expect 0 '"state":"found"' repair --format json $library/message-passing/MP+cta.litmus
expect 0 '"line":9,"thread":0,"source":null,"from":"st.release.cta.global.u32","to":"st.release.gpu.global.u32"' repair --format json $library/message-passing/MP+cta.litmus
expect 0 '"state":"nothing-to-do"' repair --format json $library/message-passing/MP.litmus
expect 0 "1 weakest form" relax --keep-outcomes $library/message-passing/MP.litmus

# --- Any result: no weaker one does, but others may cost less
expect 0 "1 repair; without '--any', the cheapest is looked for" repair --any $library/message-passing/MP+cta.litmus
expect 0 "1. cost 5" repair --any $library/bugs/warp-unlock.litmus
expect 0 '"none_below":0,"results":[{"cost":' repair --any --format json $library/message-passing/MP+cta.litmus
expect 1 "No repair: accesses of different sizes overlap" repair --any $library/bugs/byte-flags.litmus
expect 1 "No repair: all that forbid the outcome cost more." repair --any --max-cost 17 $library/message-passing/MP+cta.litmus
expect 2 "'--any' shows one change, and '--all' all of them" repair --any --all $library/message-passing/MP+cta.litmus

# --- Products of tcgen05 read operands from shared memory through the async proxy; both places for the fence are found
expect 0 "P0, line 12: 'fence.proxy.async.shared::cta' before it" repair --all $library/bugs/tcgen05-operand.litmus
expect 0 "P1, line 16: 'fence.proxy.async.shared::cta' before it" repair --all $library/bugs/tcgen05-operand.litmus

# --- Barriers: of all threads of a CTA or a cluster; none that may hang, and none across CTAs that are not of one cluster
expect 0 "P0, line 9: 'bar.sync 0' before it; P2, line 9: 'bar.sync 0' after it" repair $library/bugs/warp-unlock.litmus
expect 0 '"line":9,"thread":2,"source":null,"from":null,"to":"bar.sync 0","where":"after"' repair --format json $library/bugs/warp-unlock.litmus
expect 0 "1. cost 3" repair --costs <(echo '{"add": {"barrier": 3}}') $library/bugs/warp-unlock.litmus
expect 0 "cost 5" repair --write "$work/fixed.litmus" $library/bugs/warp-unlock.litmus
expect 0 "expected forbidden: yes" --format text "$work/fixed.litmus"
expect 0 "P1, line 9: 'bar.sync 1' after it; P3, line 9: 'bar.sync 1' before it" repair $library/bugs/leader-publishes+no-barrier.litmus
cat >"$work/cluster.litmus" <<'END'
PTX cluster
{ .global .u32 x; }
 P0@cta 0,cluster 0,gpu 0  | P1@cta 1,cluster 0,gpu 0    ;
 st.weak.global.u32 [x], 1 | ld.weak.global.u32 %r0, [x] ;
exists (P1:%r0 == 0)
END
expect 0 "P0, line 4: 'barrier.cluster.wait' after it; P1, line 4: 'barrier.cluster.arrive' before it" repair "$work/cluster.litmus"
expect 0 "P0, line 9: 'bar.sync 0' before it; P2, line 9: 'bar.sync 0' after it" explain $library/bugs/warp-unlock.litmus
expect 1 "it takes a barrier, a lock, or another flag" repair $library/bugs/all-reduce-end.litmus
# A point before a branch is one: each thread has to read before the other one writes again, in a branch.
cat >"$work/branch.litmus" <<'END'
PTX branch
"Each thread reads what the other one has stored, and then may store again: without a barrier before the branch, the other one may read that."
.shared .u32 a;
.shared .u32 b;
P0@cta 0,gpu 0 {
  st.weak.shared.u32 [a], 1;
  bar.sync 0;
  ld.weak.shared.u32 %r0, [b];
  setp.eq.u32 %p, %r0, 7;
  @%p bra L;
  st.weak.shared.u32 [a], 2;
L: mov.u32 %r2, 0;
}
P1@cta 0,gpu 0 {
  st.weak.shared.u32 [b], 1;
  bar.sync 0;
  ld.weak.shared.u32 %r0, [a];
  setp.eq.u32 %p, %r0, 7;
  @%p bra L;
  st.weak.shared.u32 [b], 2;
L: mov.u32 %r2, 0;
}
exists (P0:%r0 == 2 \/ P1:%r0 == 2)
expect allowed, race;
END
expect 0 "P0, line 10: 'bar.sync 1' before it; P1, line 19: 'bar.sync 1' before it" repair "$work/branch.litmus"
# What is written expects what now holds: there is no race any more.
expect 0 "cost 5" repair --write "$work/branched.litmus" "$work/branch.litmus"
expect 0 "expected no race: yes" --format text "$work/branched.litmus"
grep -qx 'expect forbidden, no race;' "$work/branched.litmus" || fail "a written repair expects: $(tail -n 1 "$work/branched.litmus")"
# So does the sidecar of a module.
cat >"$work/two.ptx" <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry two(.param .u64 out)
{
  .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<3>;
  .shared .align 4 .b32 s[2];
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  mov.u64 %rd3, s;
  add.u64 %rd3, %rd3, %rd2;
  add.u64 %rd1, %rd1, %rd2;
  st.shared.u32 [%rd3], 1;
  bar.sync 0;
  xor.b32 %r2, %r1, 1;
  mul.wide.u32 %rd2, %r2, 4;
  mov.u64 %rd3, s;
  add.u64 %rd2, %rd3, %rd2;
  ld.shared.u32 %r3, [%rd2];
  setp.eq.u32 %p1, %r3, 7;
  @%p1 bra L;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd3, %rd2;
  st.shared.u32 [%rd2], 2;
L:
  st.global.u32 [%rd1], %r3;
  ret;
}
END
printf 'global out[2]\nkernel two grid 1 block 2\narg 0 = &out\nexists (out[0] == 2 \\/ out[1] == 2)\nexpect allowed, race\n' >"$work/two.ptx.litmus"
expect 0 "'bar.sync 1' before it" repair --write "$work/written.ptx" "$work/two.ptx"
expect 0 "1 test: 1 passed" suite "$work/written.ptx"

# --- What explanations say of grids, of two GPUs, and of accesses that look strong
cat >"$work/grids.litmus" <<'END'
PTX grids
{
  .global .u32 x = 0;
  .global .u32 y = 0;
  grid 1 after 0 programmatic;
}
 P0@grid 0,cta 0                  | P1@grid 1,cta 0             | P2@grid 1,cta 1             ;
 griddepcontrol.launch_dependents | griddepcontrol.wait         | ld.weak.global.u32 %r1, [y] ;
 st.weak.global.u32 [x], 1        | ld.weak.global.u32 %r0, [x] |                             ;
 st.weak.global.u32 [y], 1        |                             |                             ;
exists (P1:%r0 == 1 /\ P2:%r1 == 1)
END
expect 0 "waits for the grids that its own depends on" explain "$work/grids.litmus"
grep -q "P1:1 reads from P0:1, but they do not" "$work/out" && fail "explain: reads that are ordered are said not to synchronise"
expect 0 "P2:0 reads from P0:2, but they do not synchronise" explain "$work/grids.litmus"
cat >"$work/gpus.litmus" <<'END'
PTX gpus
.global .u32 f;
P0@cta 0,gpu 0 {
L: ld.relaxed.sys.global.u32 %r0, [f];
  setp.eq.u32 %p, %r0, 0;
  @%p bra L;
}
P1@cta 1,gpu 1 { st.relaxed.sys.global.u32 [f], 1; }
exists (P0:%r0 == 1)
expect terminates;
END
expect 1 "nor that launches on two GPUs run at once ('progress fair' takes that for granted)" --format text "$work/gpus.litmus"
expect 0 "Terminates always" --progress fair "$work/gpus.litmus"
cat >"$work/wide.litmus" <<'END'
PTX wide
.global .align 16 .b128 x;
P0@cta 0,gpu 0 { st.relaxed.gpu.global.b128 [x], 5; }
P1@cta 1,gpu 0 { ld.relaxed.gpu.global.b128 %rq0, [x]; }
exists (P1:%rq0 == 5)
END
expect 1 'docs/readings.md, "Accesses of 128 bits"' check "$work/wide.litmus"
cat >"$work/vector.litmus" <<'END'
PTX vector
.global .align 8 .u32 x[2];
P0@cta 0,gpu 0 { st.weak.global.v2.u32 [x], {1, 2}; }
P1@cta 1,gpu 0 { ld.weak.global.v2.u32 {%r0, %r1}, [x]; }
exists (P1:%r0 == 1)
END
expect 1 'docs/readings.md, "Torn accesses"' check "$work/vector.litmus"
expect 1 '"why":"the elements of a vector' check --format json "$work/vector.litmus"

# Nothing to do is not said of a test that expects something else to go wrong.
cat >"$work/stuck.litmus" <<'END'
PTX stuck
.global .u32 f;
P0@cta 0,gpu 0 {
L: ld.relaxed.gpu.global.u32 %r0, [f];
  setp.eq.u32 %p, %r0, 0;
  @%p bra L;
}
P1@cta 1,gpu 0 { st.relaxed.gpu.global.u32 [f], 1; }
exists (P0:%r0 == 2)
expect may-hang;
END
expect 1 "No repair: the outcome is forbidden already, but the test expects that it may not end" repair "$work/stuck.litmus"
sed -e 's/expect forbidden/expect forbidden, race/' $library/message-passing/MP.litmus >"$work/racy.litmus"
expect 1 "No repair: the outcome is forbidden already, but the test expects a race" repair "$work/racy.litmus"
sed '/^exists/,$d' $library/message-passing/MP.litmus >"$work/unasked.litmus"
echo 'expect no race;' >>"$work/unasked.litmus"
expect 1 "the test asks about no outcome: it has no condition" repair "$work/unasked.litmus"

cat >"$work/waits.litmus" <<'END'
PTX waits
{ .global .u32 x; .global .u32 y; }
P0@cta 0,gpu 0 {
  st.weak.global.u32 [x], 1;
  st.weak.global.u32 [y], 1;
}
P1@cta 0,gpu 0 {
  ld.weak.global.u32 %r0, [y];
  setp.eq.u32 %p, %r0, 1;
  @%p bra END;
  ld.weak.global.u32 %r1, [x];
END:
  ld.weak.global.u32 %r2, [x];
}
exists (P1:%r0 == 0 /\ P1:%r1 == 1 /\ P1:%r2 == 0)
END
expect 0 "'bar.sync 0'" repair --all "$work/waits.litmus"
grep -q "line 11: 'bar.sync" "$work/out" && fail "a barrier is in a branch"
expect 0 "P0, line 7: 'bar.sync' for 'bar.arrive'" repair $library/barriers/MP+arrive+late.litmus

# --- Asynchronous operations: proxy fences, what mbarriers and waits for groups wait for, and where none of it helps
expect 0 "P0, line 10: 'fence.proxy.async.shared::cta' before it" repair --all $library/bugs/tma-store.litmus
expect 0 "P1, line 17: 'fence.proxy.tensormap::generic.acquire.gpu [t], 128' before it" repair $library/bugs/tensormap-stale.litmus
expect 0 "P1, line 9: 'fence.proxy.tensormap::generic.acquire.cta [x], 128' before it" repair $library/grids/Grid-after+tensormap.litmus
expect 0 "P0, line 11: 'fence.proxy.generic::fabric.alias.release.sys' before it" repair $library/ptx-9.3/Fabric+one.litmus
expect 0 "P0, line 12: 'cp.async.bulk.wait_group 0' for 'cp.async.bulk.wait_group.read 0'" repair $library/bugs/wait-read.litmus
grep -q "^1 repair" "$work/out" || fail "a wait for more than is needed is a repair"
expect 0 "'cp.async.bulk.wait_group.read 0' for 'cp.async.bulk.wait_group.read 1'" repair --all $library/bugs/group-count.litmus
grep -q "^1 repair" "$work/out" || fail "a wait for more than is needed is a repair"
expect 0 "'cp.async.wait_group 0' for 'cp.async.wait_group 1'" repair $library/async/Cp-groups-second.litmus
expect 0 "'wgmma.wait_group.sync.aligned 0' for 'wgmma.wait_group.sync.aligned 1'" repair --target sm_90a $library/wgmma/Wgmma+after-group.litmus
expect 0 "P0, line 14: 'wgmma.fence.sync.aligned' before it" repair --target sm_90a $library/wgmma/Wgmma+no-fence.litmus
expect 0 "P0, line 13: 'fence.proxy.async.shared::cta' before it" repair --target sm_90a $library/wgmma/Wgmma+no-proxy-fence.litmus
expect 0 "'mbarrier.arrive.release.cluster.shared::cluster.b64' for 'mbarrier.arrive.shared::cluster.b64'" repair $library/bugs/mbarrier-remote-scope.litmus
expect 0 '"from":"cp.async.bulk.wait_group.read 0","to":"cp.async.bulk.wait_group 0","where":"for"' repair --format json $library/bugs/wait-read.litmus
expect 0 "1. cost 9" repair --costs <(echo '{"add": {"wait": 9}}') $library/bugs/wait-read.litmus
expect 0 "cost 5" repair --write "$work/waits-fixed.litmus" $library/bugs/wait-read.litmus
expect 0 "expected forbidden: yes" --format text "$work/waits-fixed.litmus"
expect 1 "it takes a wait for its mbarrier or its group" repair $library/bugs/wrong-mbarrier.litmus
expect 1 "flag exited-cta" repair $library/bugs/exited-cta.litmus
expect 0 "P1, line 9: 'griddepcontrol.wait' before it" repair $library/bugs/dependent-launch.litmus
expect 1 "each asynchronous operation takes effect between its issue and its completion" repair $library/async/St-async-release+later.litmus
expect 1 "tma-store: forbidden" --format text --target sc $library/bugs/tma-store.litmus

# --- Readings: the one that is asked for decides; where both are, what forbids the outcome under the weaker one is shown
texture=$library/proxies/Proxy-generic-texture+writer.litmus xor=$library/dependencies/LB+xor.litmus
for reading in local both; do
    expect 0 "P1, line 10: 'fence.proxy.texture' before it" repair --proxy-fences $reading $texture
    expect 0 "P1, line 10: 'fence.proxy.texture' before it" explain --proxy-fences $reading $texture
    expect 1 "the outcome is allowed, and remains so" relax --proxy-fences $reading $texture
done
expect 0 "Nothing to do: the outcome is forbidden already." repair --proxy-fences path $texture
expect 1 "Every execution with this outcome breaks Causality" explain --proxy-fences path $texture
expect 0 "Nothing in it can be weaker." relax --proxy-fences path $texture
expect 0 "'ld.acquire.gpu.global.u32' for 'ld.relaxed.gpu.global.u32'" repair --deps semantic $xor
expect 0 "Nothing to do: the outcome is forbidden already." repair --deps syntactic $xor
expect 1 "breaks No-Thin-Air" explain --remedies 0 --deps syntactic $xor
expect 0 "Nothing in it can be weaker." relax --deps syntactic $xor
expect 0 "This execution has the outcome" explain --remedies 0 --deps none $xor

torn=$library/tearing/Torn-bytes.litmus
expect 0 "'st.relaxed.gpu.global.u32' for 'st.weak.global.u32'" repair --tearing bytes $torn
expect 0 "Nothing to do: the outcome is forbidden already." repair --tearing none $torn
expect 1 "No choice of what the reads return gives this outcome" explain --remedies 0 --tearing none $torn

# --- What is written
expect 0 "cost 18" repair --write "$work/fixed.litmus" $library/message-passing/MP+cta.litmus
expect 0 "expected forbidden: yes" --format text "$work/fixed.litmus"
"$program" repair --max-cost 18 $library/message-passing/MP+cta.litmus | sed -n '/^--- /,/^$/p' >"$work/patch"
cp $library/message-passing/MP+cta.litmus "$work/patched.litmus"
if command -v patch >/dev/null; then
    patch -s "$work/patched.litmus" "$work/patch" && cmp "$work/patched.litmus" "$work/fixed.litmus" || failed=1
fi
expect 4 "cannot write $work/none/x: No such file or directory" repair --write "$work/none/x" $library/message-passing/MP+cta.litmus

# --- Bad input
bad_costs() {
    printf '%s' "$1" >"$work/costs.json"
    expect 2 "$work/costs.json: error: $2" repair --costs "$work/costs.json" $library/message-passing/MP+cta.litmus
}
bad_costs '{"scope": {"gpu": -1}}' '"gpu" in "scope" is not a whole number from 0 to 1000000'
bad_costs '{"scope": {"gpu": 1.5}}' '"gpu" in "scope" is not a whole number from 0 to 1000000'
bad_costs '{"scope": {"gpu": 2000000}}' '"gpu" in "scope" is not a whole number from 0 to 1000000'
bad_costs '{"scope": {"gpu": "10"}}' '"gpu" in "scope" is not a whole number from 0 to 1000000'
bad_costs '{"scope": {"warp": 1}}' '"scope" has no weight "warp"'
bad_costs '{"scopes": {}}' 'there are no costs "scopes"'
bad_costs '{"scope": 3}' '"scope" is not an object'
bad_costs '[]' 'costs are an object of JSON'
bad_costs '{' 'this is not JSON: '
bad_costs '{"scope": {"gpu": 40}}' '"gpu" costs more than "sys", which is stronger'
bad_costs '{"order": {"acquire": 9}}' '"acquire" costs more than "acq_rel", which is stronger'
expect 2 "$work/none.json: error: cannot read" repair --costs "$work/none.json" $library/message-passing/MP+cta.litmus
expect 2 "error: cannot read" repair "$work/none.litmus"
printf '{"order": {"sc": 2}, "scope": {"gpu": 8}, "add": {"fence": 0}}' >"$work/costs.json"
expect 0 "cost 34" repair --costs "$work/costs.json" $library/store-buffering/SB.litmus

# --- Tests in other dialects: what the dialect has, written as it writes it
cat >"$work/dat3m.litmus" <<'END'
PTX dat3m
{ x=0; y=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0           ;
 st.weak x, 1   | atom.relaxed.cta.add r0, y, 1 ;
 st.weak y, 1   | ld.weak r1, x            ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
END
expect 0 "P1, line 4: 'atom.acquire.gpu.add' for 'atom.relaxed.cta.add'" repair "$work/dat3m.litmus"
expect 0 "P0, line 5: 'st.release.gpu' for 'st.weak'" repair --write "$work/fixed.litmus" "$work/dat3m.litmus"
expect 0 "dat3m: forbidden" --format text "$work/fixed.litmus"
expect 0 "Nothing in it can be weaker." relax "$work/fixed.litmus"
cat >"$work/nvlitmus.test" <<'END'
.global x;
.global y;
d0.b0.t0 {
  st.relaxed.gpu [x], 1;
  ld.relaxed.gpu r0, [y];
}
d0.b1.t0 {
  atom.add.relaxed.gpu r1, [y], 1;
  ld.relaxed.gpu r2, [x];
}
permit (r0 == 0 && r2 == 0) as both;
END
expect 0 "P1, line 9: 'fence.sc.gpu' before it" repair --write "$work/fixed.test" "$work/nvlitmus.test"
expect 0 "fixed: forbidden" --format text "$work/fixed.test"
expect 0 "P0, line 5: 'fence.sc.gpu' before it" explain "$work/nvlitmus.test"
cat >"$work/template.test" <<'END'
.global x;
d0.b0.t0 { $0 [x], 1; }
d0.b1.t0 { ld r0, [x]; }
permit (r0 == 0) as $1;
$$
st | weak
st.relaxed.gpu | relaxed
END
expect 2 "a template makes this test: its rows share their instructions" repair "$work/template.test"

# --- A module: the place in it, and where that comes from
sed -E '/^\.address_size/a .file 1 "mp.cu"' tests/kernels/mp.ptx |
    awk '/ld\.volatile\.global\.u32 \t%r3/ { n++; print "\t.loc\t1 " 20 + n " 5" } { print }' >"$work/mp.ptx"
awk '/^kernel _Z7mp_none/ { on = 1 } on || /^global/' tests/kernels/mp.ptx.litmus >"$work/mp.ptx.litmus"
expect 0 "line 120 (mp.cu:22): 'fence.acquire.gpu' before it" repair "$work/mp.ptx"

echo "$checks checks"
[ "$failed" -eq 0 ]
